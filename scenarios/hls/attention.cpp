/* A head of attention: scores of a query with all keys, their softmax, and the weighted sum of the values.
 *
 * The softmax needs the sum of a row before its first weight, so that a row of scores waits in a FIFO:
 *     ppnsim run scenarios/hls/attention.cpp
 *     ppnsim size scenarios/hls/attention.cpp
 */
#include "hls_math.h"
#include "hls_stream.h"

#define TOKENS 16
#define WIDTH 8

typedef hls::stream<float> line_t;

static void score(const float q[TOKENS][WIDTH], const float k[TOKENS][WIDTH], line_t &scores)
{
    for (int i = 0; i < TOKENS; i++) {
        for (int j = 0; j < TOKENS; j++) {
#pragma HLS pipeline II=1
            float sum = 0;
            for (int d = 0; d < WIDTH; d++) {
                sum += q[i][d] * k[j][d];
            }
            scores.write(sum);
        }
    }
}

static void exponentials(line_t &scores, line_t &numerators, line_t &sums)
{
    for (int i = 0; i < TOKENS; i++) {
        float sum = 0;
        for (int j = 0; j < TOKENS; j++) {
#pragma HLS pipeline
            float numerator = hls::exp(scores.read());
            numerators.write(numerator);
            sum += numerator;
        }
        sums.write(sum);
    }
}

static void weigh(line_t &numerators, line_t &sums, const float v[TOKENS][WIDTH], float out[TOKENS][WIDTH])
{
    for (int i = 0; i < TOKENS; i++) {
        float scale = 1 / sums.read();
        float row[WIDTH];
#pragma HLS array_partition variable=row complete
        for (int d = 0; d < WIDTH; d++) {
#pragma HLS unroll
            row[d] = 0;
        }
        for (int j = 0; j < TOKENS; j++) {
#pragma HLS pipeline
            float weight = numerators.read() * scale;
            for (int d = 0; d < WIDTH; d++) {
#pragma HLS unroll
                row[d] += weight * v[j][d];
            }
        }
        for (int d = 0; d < WIDTH; d++) {
            out[i][d] = row[d];
        }
    }
}

void attention(
    const float q[TOKENS][WIDTH], const float k[TOKENS][WIDTH], const float v[TOKENS][WIDTH], float out[TOKENS][WIDTH])
{
#pragma HLS dataflow
#pragma HLS array_partition variable=q dim=2 complete
#pragma HLS array_partition variable=k dim=2 complete
#pragma HLS array_partition variable=v dim=2 complete
    line_t scores, numerators, sums;
#pragma HLS stream variable=numerators depth=32
    score(q, k, scores);
    exponentials(scores, numerators, sums);
    weigh(numerators, sums, v, out);
}
