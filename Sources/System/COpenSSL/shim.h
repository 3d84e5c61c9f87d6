// OpenSSL for Swift, with what Swift cannot call: macros, and functions with any number of arguments.
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

// A new key on the curve P-256; NULL if there is none.
static inline EVP_PKEY *rig_new_key(void) { return EVP_EC_gen("P-256"); }

// Refuses versions before 1.2, which no client needs; 0 if that fails.
static inline int rig_require_tls12(SSL_CTX *context) {
    return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
}

// Adds an extension in the words of OpenSSL's configuration; 0 if they are not understood.
static inline int rig_add_extension(X509 *certificate, X509 *issuer, int name, const char *value) {
    X509V3_CTX context;
    X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, name, value);
    if (!extension) { return 0; }
    int added = X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
    return added;
}
