#ifdef __linux__

#define _GNU_SOURCE
#include "CSocketDiagnostics.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// Where tcpi_bytes_received is in tcp_info, since Linux 4.1; the C library's header ends before it.
enum { BYTES_RECEIVED = 128 };

// Drops messages about sockets connected to other ports. Sockets without a remote port pass: they
// may have been connected to this one. A machine may close very many sockets, and dropped messages
// take no buffer space. If the kernel refuses the filter, the reader still checks each message.
static void keep_only(int descriptor, uint16_t remote_port) {
    struct sock_filter steps[] = {
        // BPF loads the port as a number.
        BPF_STMT(
            BPF_LD | BPF_H | BPF_ABS,
            NLMSG_HDRLEN + offsetof(struct inet_diag_msg, id.idiag_dport)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, remote_port, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, UINT32_MAX),
        BPF_STMT(BPF_RET | BPF_K, 0),
    };
    struct sock_fprog filter = {sizeof steps / sizeof *steps, steps};
    setsockopt(descriptor, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter);
}

int socket_facts_open(uint16_t ended_from) {
    // A program may use an IPv6 socket for an IPv4 address.
    struct sockaddr_nl address = {
        .nl_family = AF_NETLINK,
        .nl_groups = ended_from == 0 ? 0
                                     : 1 << (SKNLGRP_INET_TCP_DESTROY - 1) |
                                           1 << (SKNLGRP_INET6_TCP_DESTROY - 1)};
    // For the messages of some thousand sockets; only privileged processes may exceed the system's
    // limit.
    int room = 4 << 20;
    int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    if (descriptor < 0) { return -1; }
    if (setsockopt(descriptor, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof room) != 0) {
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
    }
    if (bind(descriptor, (struct sockaddr *)&address, sizeof address) != 0) {
        int error = errno;
        close(descriptor);
        errno = error;
        return -1;
    }
    if (ended_from != 0) { keep_only(descriptor, ended_from); }
    return descriptor;
}

bool socket_facts_ask(int descriptor, uint16_t own_port, uint16_t remote_port) {
    struct {
        struct nlmsghdr head;
        struct inet_diag_req_v2 what;
    } question = {
        .head = {
            .nlmsg_len = sizeof question, .nlmsg_type = SOCK_DIAG_BY_FAMILY,
            .nlmsg_flags = NLM_F_REQUEST},
        .what = {
            .sdiag_family = AF_INET, .sdiag_protocol = IPPROTO_TCP,
            .idiag_ext = 1 << (INET_DIAG_INFO - 1), .idiag_states = UINT32_MAX,
            .id = {
                .idiag_sport = htons(own_port), .idiag_dport = htons(remote_port),
                .idiag_src = {htonl(INADDR_LOOPBACK)}, .idiag_dst = {htonl(INADDR_LOOPBACK)},
                .idiag_cookie = {INET_DIAG_NOCOOKIE, INET_DIAG_NOCOOKIE}}}};
    return send(descriptor, &question, sizeof question, 0) == (ssize_t)sizeof question;
}

int socket_facts_next(int descriptor, struct socket_facts *facts) {
    // Larger than any message.
    _Alignas(struct nlmsghdr) char bytes[4096];
    const struct nlmsghdr *head = (const struct nlmsghdr *)bytes;
    const struct inet_diag_msg *found = NLMSG_DATA(head);
    ssize_t count;
    do {
        count = recv(descriptor, bytes, sizeof bytes, MSG_DONTWAIT);
    } while (count < 0 && errno == EINTR);
    if (count < 0) { return errno == ENOBUFS ? -1 : 0; }
    // What it stays for a message that is neither an error nor about a socket.
    *facts = (struct socket_facts){.error = -EPROTO};
    int left = (int)count - (int)NLMSG_LENGTH(sizeof *found);
    if (count >= (ssize_t)NLMSG_LENGTH(sizeof(int)) && head->nlmsg_type == NLMSG_ERROR) {
        int error = ((const struct nlmsgerr *)NLMSG_DATA(head))->error;
        if (error != 0) { facts->error = error; }
    } else if (left >= 0 && head->nlmsg_type == SOCK_DIAG_BY_FAMILY) {
        facts->error = 0;
        facts->own_port = ntohs(found->id.idiag_sport);
        facts->remote_port = ntohs(found->id.idiag_dport);
        facts->is_closed = found->idiag_inode == 0;
        facts->queued = found->idiag_rqueue;
        memcpy(&facts->cookie, found->id.idiag_cookie, sizeof facts->cookie);
        const struct rtattr *part = (const struct rtattr *)(found + 1);
        for (; RTA_OK(part, left); part = RTA_NEXT(part, left)) {
            if (part->rta_type != INET_DIAG_INFO) { continue; }
            if (RTA_PAYLOAD(part) < BYTES_RECEIVED + sizeof facts->received) { continue; }
            const char *figures = RTA_DATA(part);
            memcpy(&facts->received, figures + BYTES_RECEIVED, sizeof facts->received);
            facts->has_figures = found->idiag_state != TCP_LISTEN;
        }
    }
    return 1;
}

#else
typedef int no_socket_diagnostics_here;
#endif
