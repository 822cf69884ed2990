#ifndef PPNSIM_STDIO_H
#define PPNSIM_STDIO_H
#include <stddef.h>
typedef struct ppnsim_file FILE;
extern FILE *stdin, *stdout, *stderr;
#define EOF (-1)
int printf(const char *, ...);
int fprintf(FILE *, const char *, ...);
int sprintf(char *, const char *, ...);
int snprintf(char *, size_t, const char *, ...);
int scanf(const char *, ...);
int fscanf(FILE *, const char *, ...);
int puts(const char *);
int putchar(int);
int fputs(const char *, FILE *);
int fputc(int, FILE *);
int fflush(FILE *);
FILE *fopen(const char *, const char *);
int fclose(FILE *);
void perror(const char *);
int getchar(void);
int fgetc(FILE *);
char *fgets(char *, int, FILE *);
int sscanf(const char *, const char *, ...);
size_t fread(void *, size_t, size_t, FILE *);
size_t fwrite(const void *, size_t, size_t, FILE *);
int fseek(FILE *, long, int);
long ftell(FILE *);
#define SEEK_SET 0
#define SEEK_END 2
int remove(const char *);
#endif
