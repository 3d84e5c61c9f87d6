// The kernel's figures of TCP sockets, by netlink's SOCK_DIAG (sock_diag(7)), whose messages are
// structs of C. Linux only; empty elsewhere.
#ifndef C_SOCKET_DIAGNOSTICS_H
#define C_SOCKET_DIAGNOSTICS_H

#ifdef __linux__

#include <stdbool.h>
#include <stdint.h>

// What a message says of a socket.
struct socket_facts {
    int error; // a negative errno in the place of facts; 0 for facts
    uint16_t own_port;
    uint16_t remote_port; // 0 for a socket that was closed abruptly
    bool has_figures;     // false for a listening socket, and for what is kept of a closed one
    bool is_closed;       // true once no program holds the socket
    uint64_t cookie;
    int64_t received; // tcpi_bytes_received
    int64_t queued;
};

// Opens a descriptor for questions; with a port one for the ends of sockets that were connected to
// it, and of those that are connected to none any more. Returns -1 with the reason in errno.
int socket_facts_open(uint16_t ended_from);

// Asks for the socket from a port of the loopback interface to another; false if that fails.
bool socket_facts_ask(int descriptor, uint16_t own_port, uint16_t remote_port);

// Reads a message without waiting; 1 for one, 0 for none, and -1 when messages were dropped,
// because they were not read in time.
int socket_facts_next(int descriptor, struct socket_facts *facts);

#endif
#endif
