/* Accelerations of N bodies that attract each other, all pairs: what the roofline paper optimises first.
 * The directive says what its performance counts: pairs. */
#ifndef N
#define N 1536
#endif
float sqrtf(float);

void kernel_nbody(float m[N], float px[N], float py[N], float pz[N], float ax[N], float ay[N], float az[N], float eps)
{
#pragma scop
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            float dx = px[j] - px[i];
            float dy = py[j] - py[i];
            float dz = pz[j] - pz[i];
            float square = dx * dx + dy * dy + dz * dz + eps;
            float pull = m[j] * (1.0f / (square * sqrtf(square)));
#pragma ppnsim result
            ax[i] = ax[i] + dx * pull;
            ay[i] = ay[i] + dy * pull;
            az[i] = az[i] + dz * pull;
        }
    }
#pragma endscop
}
