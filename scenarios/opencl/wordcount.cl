/* Words of a text, counted in a hash table: its random insertions stay, whatever is done to the rest */
#ifndef C
#define C 1572864000 /* characters (1500 MB) */
#endif
#ifndef W
#define W 65536 /* work items, each of which has C / W characters */
#endif
#ifndef L
#define L 6 /* characters of a word on average, with the space after it */
#endif
#define SLOTS (1 << 20)

typedef struct {
    ulong count;
    uchar word[24];
} Entry;

#pragma ppnsim global_size(W)
__kernel void wordcount(__global const uchar *restrict text, __global Entry *restrict table)
{
    int at = get_global_id(0) * (C / W);
    for (int word = 0; word < C / W / L; word++) {
        const int start = at;
#pragma ppnsim tripcount(L)
        while (text[at] != ' ')
            at++;

        uint hash = 2166136261u; /* FNV-1a */
#pragma ppnsim tripcount(L) private
        for (int i = start; i < at; i++)
            hash = (hash ^ text[i]) * 16777619u;

        __global Entry *entry = table + hash % SLOTS;
        bool equal = true;
#pragma ppnsim tripcount(L)
        for (int i = start; i < at; i++) {
#pragma ppnsim private
            const uchar letter = text[i];
#pragma ppnsim reuse(64)
            const uchar known = entry->word[i - start];
            if (letter != known)
                equal = false;
        }
        entry->count += equal;
        at++;
    }
}
