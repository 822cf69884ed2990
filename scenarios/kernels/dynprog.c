/*
 * Cost of all intervals: cost[from][to] = own[from][to] + the sum over from < cut < to of cost[from][cut] +
 * cost[cut][to], for from < to, and total = the sum of cost[0][LENGTH-1] over TSTEPS repetitions. Every partial sum has
 * its own place in partial. Rows are filled from the first one on, so that cost[cut][to] is still the 0 it began with.
 *
 * Loops and MINI sizes are those of PolyBench/C 3.1, medley/dynprog; what it does before and after its scop is inside.
 */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
#ifndef TSTEPS
#define TSTEPS 10
#endif
#ifndef LENGTH
#define LENGTH 32
#endif

void kernel_dynprog(DATA_TYPE cost[LENGTH][LENGTH], DATA_TYPE own[LENGTH][LENGTH],
                    DATA_TYPE partial[LENGTH][LENGTH][LENGTH], DATA_TYPE total[1])
{
    DATA_TYPE sum;

#pragma scop
    sum = 0.0;
    for (int turn = 0; turn < TSTEPS; turn++) {
        for (int from = 0; from < LENGTH; from++)
            for (int to = 0; to < LENGTH; to++)
                cost[from][to] = 0.0;
        for (int from = 0; from < LENGTH - 1; from++) {
            for (int to = from + 1; to < LENGTH; to++) {
                partial[from][to][from] = 0.0;
                for (int cut = from + 1; cut < to; cut++)
                    partial[from][to][cut] = cost[from][cut] + cost[cut][to] + partial[from][to][cut - 1];
                cost[from][to] = own[from][to] + partial[from][to][to - 1];
            }
        }
        sum += cost[0][LENGTH - 1];
    }
    total[0] = sum;
#pragma endscop
}
