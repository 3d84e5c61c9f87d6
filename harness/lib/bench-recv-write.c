// The limit of any downloader: a loop of recv and write, 256 KB at a time, into a file.
//   bench-recv-write PORT PATH FILE
// Fetches http://127.0.0.1:PORT/PATH, and stores the answer with its head.
#include <arpa/inet.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

int main(int count, char **words) {
    static char buffer[256 << 10];
    struct sockaddr_in address = {.sin_family = AF_INET};
    if (count != 4) { return 64; }
    address.sin_port = htons((unsigned short)atoi(words[1]));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int origin = socket(AF_INET, SOCK_STREAM, 0);
    int file = open(words[3], O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file < 0 || connect(origin, (struct sockaddr *)&address, sizeof address)) { return 69; }
    dprintf(origin, "GET /%s HTTP/1.0\r\n\r\n", words[2]);
    ssize_t got;
    while ((got = recv(origin, buffer, sizeof buffer, 0)) > 0) {
        if (write(file, buffer, (size_t)got) != got) { return 74; }
    }
    return got < 0 ? 74 : 0;
}
