/*
 * One sweep of Maxwell's equations with an anisotropic perfectly matched layer, cell by cell: the curl of E changes the
 * flux density b along z, and its new and its old value change the field h. Per cell: curl = d(ey)/dx - d(ex)/dy,
 * fresh = (loss_y b - ch curl) / gain_y, h = (loss_x h + mui (up fresh - down b)) / gain_x, b = fresh.
 * Beyond the last cell in x and in y, the neighbours of E are in edge_x and edge_y.
 * As in the benchmark, the last row of y is computed again after every row, and but for its last cell divides by that
 * row's gain_y.
 *
 * Loops and MINI sizes are those of PolyBench/C 3.1, stencils/fdtd-apml.
 */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
#ifndef CZ
#define CZ 32
#endif
#ifndef CYM
#define CYM 32
#endif
#ifndef CXM
#define CXM 32
#endif

void kernel_fdtd_apml(DATA_TYPE mui, DATA_TYPE ch, DATA_TYPE ex[CZ + 1][CYM + 1][CXM + 1],
                      DATA_TYPE ey[CZ + 1][CYM + 1][CXM + 1], DATA_TYPE edge_x[CZ + 1][CYM + 1],
                      DATA_TYPE edge_y[CZ + 1][CXM + 1], DATA_TYPE up[CZ + 1], DATA_TYPE down[CZ + 1],
                      DATA_TYPE loss_x[CXM + 1], DATA_TYPE gain_x[CXM + 1], DATA_TYPE loss_y[CYM + 1],
                      DATA_TYPE gain_y[CYM + 1], DATA_TYPE curl[CZ + 1][CYM + 1], DATA_TYPE fresh[CZ + 1][CYM + 1],
                      DATA_TYPE b[CZ + 1][CYM + 1][CXM + 1], DATA_TYPE h[CZ + 1][CYM + 1][CXM + 1])
{
#pragma scop
    for (int z = 0; z < CZ; z++) {
        for (int y = 0; y < CYM; y++) {
            for (int x = 0; x < CXM; x++) {
                curl[z][y] = (ey[z][y][x + 1] - ey[z][y][x]) - (ex[z][y + 1][x] - ex[z][y][x]);
                fresh[z][y] = (loss_y[y] * b[z][y][x] - ch * curl[z][y]) / gain_y[y];
                h[z][y][x] = (loss_x[x] * h[z][y][x] + mui * (up[z] * fresh[z][y] - down[z] * b[z][y][x])) / gain_x[x];
                b[z][y][x] = fresh[z][y];
            }
            curl[z][y] = (edge_x[z][y] - ey[z][y][CXM]) - (ex[z][y + 1][CXM] - ex[z][y][CXM]);
            fresh[z][y] = (loss_y[y] * b[z][y][CXM] - ch * curl[z][y]) / gain_y[y];
            h[z][y][CXM] = (loss_x[CXM] * h[z][y][CXM] + mui * (up[z] * fresh[z][y] - down[z] * b[z][y][CXM]))
                           / gain_x[CXM];
            b[z][y][CXM] = fresh[z][y];
            for (int x = 0; x < CXM; x++) {
                curl[z][y] = (ey[z][CYM][x + 1] - ey[z][CYM][x]) - (edge_y[z][x] - ex[z][CYM][x]);
                fresh[z][y] = (loss_y[CYM] * b[z][y][x] - ch * curl[z][y]) / gain_y[y];
                h[z][CYM][x] = (loss_x[x] * h[z][CYM][x] + mui * (up[z] * fresh[z][y] - down[z] * b[z][CYM][x]))
                               / gain_x[x];
                b[z][CYM][x] = fresh[z][y];
            }
            curl[z][y] = (edge_x[z][CYM] - ey[z][CYM][CXM]) - (edge_y[z][CXM] - ex[z][CYM][CXM]);
            fresh[z][y] = (loss_y[CYM] * b[z][CYM][CXM] - ch * curl[z][y]) / gain_y[CYM];
            h[z][CYM][CXM] = (loss_x[CXM] * h[z][CYM][CXM] + mui * (up[z] * fresh[z][y] - down[z] * b[z][CYM][CXM]))
                             / gain_x[CXM];
            b[z][CYM][CXM] = fresh[z][y];
        }
    }
#pragma endscop
}
