// Saves one letter after another, each as a whole file: `save DIR`. The old file or the new one is
// to be there after any crash, which `save check DIR` looks at.
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SIZE = 8192, SAVES = 60 };

static void save(char letter) {
    static char text[SIZE];
    memset(text, letter, sizeof text);
    int file = open("letters.tmp", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file < 0 || write(file, text, sizeof text) != SIZE) { _exit(1); }
    close(file);
    if (rename("letters.tmp", "letters") != 0) { _exit(1); }
}

static int check(void) {
    static char text[SIZE + 1];
    int file = open("letters", O_RDONLY);
    if (file < 0) { return 0; }
    if (read(file, text, sizeof text) != SIZE) { return puts("letters is not whole"), 1; }
    for (int index = 0; index < SIZE; index++) {
        if (text[index] < 'a' || text[index] != text[0]) {
            return printf("letters is wrong at %d\n", index), 1;
        }
    }
    return 0;
}

int main(int count, char **words) {
    if (count < 2 || chdir(words[count - 1]) != 0) { return 2; }
    if (count > 2) { return check(); }
    for (int number = 0; number < SAVES; number++) {
        save('a' + number % 26);
        usleep(5000);
    }
    return 0;
}
