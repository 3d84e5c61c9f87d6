// Downloads a file, and resumes where it was killed: downloader URL DIR OUTPUT.
//
// DIR/part has the file's first bytes. DIR/part.length says how many of them are safe: it is written
// after them, and replaced atomically. DIR/part.etag says which version of the file they belong to.
//
//	go build -o downloader downloader.go
//	rig kill-test -- ./downloader {url} {dir} {output}
package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
)

const block = 64 * 1024

var part string

// recall returns the text kept under a name, or an empty text.
func recall(name string) string {
	text, _ := os.ReadFile(part + "." + name)
	return string(text)
}

// keep keeps a text: after a kill, either the new one or the old one is there.
func keep(name, text string) error {
	if err := os.WriteFile(part+"."+name+".new", []byte(text), 0o644); err != nil {
		return err
	}
	return os.Rename(part+"."+name+".new", part+"."+name)
}

// fetch fetches what is missing after the first bytes; nothing if the server has no more.
func fetch(url string, done int64) error {
	request, err := http.NewRequest("GET", url, nil)
	if err != nil {
		return err
	}
	if done > 0 {
		request.Header.Set("Range", fmt.Sprintf("bytes=%d-", done))
		request.Header.Set("If-Range", recall("etag"))
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	switch {
	case response.StatusCode == http.StatusRequestedRangeNotSatisfiable &&
		response.Header.Get("Content-Range") == fmt.Sprintf("bytes */%d", done):
		return nil
	case response.StatusCode == http.StatusOK: // the whole file, of which version it may be
		done = 0
		if err := keep("length", "0"); err != nil {
			return err
		}
		if err := keep("etag", response.Header.Get("ETag")); err != nil {
			return err
		}
	case response.StatusCode != http.StatusPartialContent:
		return fmt.Errorf("the server answers %s", response.Status)
	}
	if response.ContentLength < 0 {
		return fmt.Errorf("the server does not say how long its answer is")
	}
	file, err := os.OpenFile(part, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := file.Truncate(done); err != nil {
		return err
	}
	buffer, end := make([]byte, block), done+response.ContentLength
	for {
		count, err := io.ReadFull(response.Body, buffer)
		if _, failure := file.WriteAt(buffer[:count], done); failure != nil {
			return failure
		}
		done += int64(count)
		if failure := keep("length", strconv.FormatInt(done, 10)); failure != nil {
			return failure
		}
		if err != nil {
			break
		}
	}
	if done < end {
		return fmt.Errorf("the connection was closed early; run me again")
	}
	return nil
}

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: downloader URL DIR OUTPUT")
		os.Exit(64)
	}
	part = filepath.Join(os.Args[2], "part")
	if _, err := os.Stat(os.Args[3]); err == nil {
		return
	}
	done, _ := strconv.ParseInt(recall("length"), 10, 64)
	err := fetch(os.Args[1], done)
	if err == nil {
		err = os.Rename(part, os.Args[3])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
