# Sourced by harness/bench: nginx on a free port, with a video of 1 GB. Uses its functions and
# variables: start_origin, stop_origin, stop_process, fail, $work, $url.
# shellcheck shell=bash disable=SC2034,SC2154

nginx=

stop_nginx() {
    stop_process "$nginx"
    nginx=
}

# Fails with a message if nginx is not installed.
has_nginx() {
    type -P nginx >/dev/null && return
    echo "nginx is not here, so nothing is measured against it; install nginx-light" >&2
    return 1
}

# Makes a file of 1 GB, and starts nginx to serve it; sets $video_url and $video_tls_url.
start_nginx_with_video() {
    mkdir -p "$work/www"
    start_origin 1GB
    curl -s -f -o "$work/www/video.mp4" "$url" || fail 70 "curl cannot fetch $url"
    stop_origin
    start_nginx
    video_url=http://127.0.0.1:$nginx_port/video.mp4
    video_tls_url=https://127.0.0.1:$nginx_tls_port/video.mp4
}

# Prints the length that a server reports for a file; nothing if it reports none.
served_length() {
    curl -s -f -I "$1" | tr -d '\r' | awk 'tolower($1) == "content-length:" { print $2 }' || true
}

# Makes a certificate for nginx that clients can trust by itself.
make_certificate() {
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 \
        -subj "/CN=127.0.0.1" -addext "subjectAltName=IP:127.0.0.1" \
        -keyout "$work/nginx.key" -out "$work/nginx.pem" 2>"$work/nginx.log" ||
        fail 69 "openssl cannot make a certificate; see $work/nginx.log"
}

# Starts nginx. It cannot pick a free port by itself, so random ports are tried.
start_nginx() {
    local attempt
    make_certificate
    for attempt in 1 2 3 4 5 6 7 8 9 10; do
        nginx_port=$((20000 + (RANDOM + attempt) % 20000))
        nginx_tls_port=$((nginx_port + 20000))
        cat >"$work/nginx.conf" <<CONF
daemon off;
worker_processes 1;
error_log $work/nginx.log;
pid $work/nginx.pid;
events {}
http {
    access_log off;
    sendfile on;
    client_body_temp_path $work/nginx-body;
    proxy_temp_path $work/nginx-proxy;
    fastcgi_temp_path $work/nginx-fastcgi;
    uwsgi_temp_path $work/nginx-uwsgi;
    scgi_temp_path $work/nginx-scgi;
    server {
        listen 127.0.0.1:$nginx_port;
        listen 127.0.0.1:$nginx_tls_port ssl;
        ssl_certificate $work/nginx.pem;
        ssl_certificate_key $work/nginx.key;
        root $work/www;
    }
}
CONF
        chmod 755 "$work"
        nginx -c "$work/nginx.conf" </dev/null >>"$work/nginx.log" 2>&1 &
        nginx=$!
        until [[ $(served_length "http://127.0.0.1:$nginx_port/video.mp4") == "$((1 << 30))" ]]; do
            # If nginx has ended, another program has the port.
            kill -0 "$nginx" 2>/dev/null || continue 2
            sleep 0.05
        done
        if kill -0 "$nginx" 2>/dev/null; then return; fi
    done
    fail 69 "nginx finds no free port; see $work/nginx.log"
}
