#ifndef PPNSIM_CTYPE_H
#define PPNSIM_CTYPE_H
int isalpha(int);
int isdigit(int);
int isalnum(int);
int isspace(int);
int isupper(int);
int islower(int);
int toupper(int);
int tolower(int);
int isprint(int);
int ispunct(int);
#endif
