/* Three tasks and two streams that deadlock: the mean of a line is known only after its last sample.
 *
 * `load` sends each sample to both of the others. `average` needs the whole line before it gives the mean, and until
 * then `subtract` reads nothing, so that `kept` fills up and stops `load`. See which FIFO is too shallow:
 *     ppnsim run scenarios/hls/subtract_mean.cpp
 * Paste the pragma that the answer ends with, and run it again. The smallest depths at which no cycle is lost:
 *     ppnsim size scenarios/hls/subtract_mean.cpp -o sized.cpp
 */
#include "hls_stream.h"

#define SAMPLES 64

static void load(const int line[SAMPLES], hls::stream<int> &seen, hls::stream<int> &kept)
{
    for (int i = 0; i < SAMPLES; i++) {
        int sample = line[i];
        seen.write(sample);
        kept.write(sample);
    }
}

static void average(hls::stream<int> &seen, int &mean)
{
    int sum = 0;
    for (int i = 0; i < SAMPLES; i++) {
        sum += seen.read();
    }
    mean = sum / SAMPLES;
}

static void subtract(hls::stream<int> &kept, int mean, int result[SAMPLES])
{
    for (int i = 0; i < SAMPLES; i++) {
        result[i] = kept.read() - mean;
    }
}

void subtract_mean(const int line[SAMPLES], int result[SAMPLES])
{
#pragma HLS dataflow
    hls::stream<int> seen;
    hls::stream<int> kept;
    int mean;
    load(line, seen, kept);
    average(seen, mean);
    subtract(kept, mean, result);
}
