// Words of a text, and how many there are of each length.
#define LENGTH 4096
#define LONGEST 32

void word_count(const char text[LENGTH], unsigned lengths[LONGEST], int *words)
{
    bool inside = false;
    int count = 0;
    unsigned length = 0;
characters:
    for (int i = 0; i < LENGTH; i++) {
#pragma HLS PIPELINE
        const char c = text[i];
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (letter) {
            if (!inside)
                count++;
            length++;
        } else if (inside) {
            lengths[length & (LONGEST - 1)]++;
            length = 0;
        }
        inside = letter;
    }
    *words = count;
}
