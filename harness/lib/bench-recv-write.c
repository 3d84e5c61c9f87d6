// The limit of any downloader: a loop of recv and write, 256 KB at a time, into a file.
//   bench-recv-write PORT PATH FILE [READ WRITE]
// Fetches http://127.0.0.1:PORT/PATH, and stores the answer with its head. With READ and WRITE, in
// bytes, it reads at most READ at once, and writes before more than WRITE are unwritten: the limit
// of a downloader that may lose no more than that, and saves nearly as much at a time.
#include <arpa/inet.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

int main(int count, char **words) {
    static char buffer[1 << 20];
    struct sockaddr_in address = {.sin_family = AF_INET};
    if (count != 4 && count != 6) { return 64; }
    size_t most = count == 6 ? strtoul(words[4], NULL, 10) : 256 << 10;
    size_t unwritten = count == 6 ? strtoul(words[5], NULL, 10) : most;
    if (most == 0 || most > unwritten || unwritten > sizeof buffer) { return 64; }
    address.sin_port = htons((unsigned short)atoi(words[1]));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int origin = socket(AF_INET, SOCK_STREAM, 0);
    int file = open(words[3], O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file < 0 || connect(origin, (struct sockaddr *)&address, sizeof address)) { return 69; }
    dprintf(origin, "GET /%s HTTP/1.0\r\n\r\n", words[2]);
    size_t held = 0;
    ssize_t got;
    while ((got = recv(origin, buffer + held, most, 0)) > 0) {
        held += (size_t)got;
        if (count == 6 && held + most <= unwritten) { continue; }
        if (write(file, buffer, held) != (ssize_t)held) { return 74; }
        held = 0;
    }
    return got < 0 || write(file, buffer, held) != (ssize_t)held ? 74 : 0;
}
