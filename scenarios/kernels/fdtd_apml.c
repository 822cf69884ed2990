/*
 * Maxwell's equations with an anisotropic perfectly matched layer, one sweep over (CZ, CYM, CXM) cells: in each cell
 * clf = the curl of E, Bza = (cymh Bza - ch clf) / cyph, Hz = (cxmh Hz + mui (czp Bza - czm Bza before)) / cxph; the
 * outer faces take their missing neighbour from Ax and Ry.
 * As published, the face iy = CYM is recomputed for every iy, and its tmp reads Bza[iz][iy][ix] and cyph[iy].
 *
 * Loop structure and MINI sizes: PolyBench/C 3.1, stencils/fdtd-apml.
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

void kernel_fdtd_apml(DATA_TYPE mui, DATA_TYPE ch, DATA_TYPE Ax[CZ + 1][CXM + 1], DATA_TYPE Ry[CZ + 1][CYM + 1],
                      DATA_TYPE clf[CZ + 1][CYM + 1], DATA_TYPE tmp[CZ + 1][CYM + 1],
                      DATA_TYPE Bza[CZ + 1][CYM + 1][CXM + 1], DATA_TYPE Ex[CZ + 1][CYM + 1][CXM + 1],
                      DATA_TYPE Ey[CZ + 1][CYM + 1][CXM + 1], DATA_TYPE Hz[CZ + 1][CYM + 1][CXM + 1],
                      DATA_TYPE czm[CZ + 1], DATA_TYPE czp[CZ + 1], DATA_TYPE cxmh[CXM + 1], DATA_TYPE cxph[CXM + 1],
                      DATA_TYPE cymh[CYM + 1], DATA_TYPE cyph[CYM + 1])
{
#pragma scop
    for (int iz = 0; iz < CZ; iz++) {
        for (int iy = 0; iy < CYM; iy++) {
            for (int ix = 0; ix < CXM; ix++) {
                clf[iz][iy] = Ex[iz][iy][ix] - Ex[iz][iy + 1][ix] + Ey[iz][iy][ix + 1] - Ey[iz][iy][ix];
                tmp[iz][iy] = (cymh[iy] / cyph[iy]) * Bza[iz][iy][ix] - (ch / cyph[iy]) * clf[iz][iy];
                Hz[iz][iy][ix] = (cxmh[ix] / cxph[ix]) * Hz[iz][iy][ix] + (mui * czp[iz] / cxph[ix]) * tmp[iz][iy]
                                 - (mui * czm[iz] / cxph[ix]) * Bza[iz][iy][ix];
                Bza[iz][iy][ix] = tmp[iz][iy];
            }
            clf[iz][iy] = Ex[iz][iy][CXM] - Ex[iz][iy + 1][CXM] + Ry[iz][iy] - Ey[iz][iy][CXM];
            tmp[iz][iy] = (cymh[iy] / cyph[iy]) * Bza[iz][iy][CXM] - (ch / cyph[iy]) * clf[iz][iy];
            Hz[iz][iy][CXM] = (cxmh[CXM] / cxph[CXM]) * Hz[iz][iy][CXM] + (mui * czp[iz] / cxph[CXM]) * tmp[iz][iy]
                              - (mui * czm[iz] / cxph[CXM]) * Bza[iz][iy][CXM];
            Bza[iz][iy][CXM] = tmp[iz][iy];
            for (int ix = 0; ix < CXM; ix++) {
                clf[iz][iy] = Ex[iz][CYM][ix] - Ax[iz][ix] + Ey[iz][CYM][ix + 1] - Ey[iz][CYM][ix];
                tmp[iz][iy] = (cymh[CYM] / cyph[iy]) * Bza[iz][iy][ix] - (ch / cyph[iy]) * clf[iz][iy];
                Hz[iz][CYM][ix] = (cxmh[ix] / cxph[ix]) * Hz[iz][CYM][ix] + (mui * czp[iz] / cxph[ix]) * tmp[iz][iy]
                                  - (mui * czm[iz] / cxph[ix]) * Bza[iz][CYM][ix];
                Bza[iz][CYM][ix] = tmp[iz][iy];
            }
            clf[iz][iy] = Ex[iz][CYM][CXM] - Ax[iz][CXM] + Ry[iz][CYM] - Ey[iz][CYM][CXM];
            tmp[iz][iy] = (cymh[CYM] / cyph[CYM]) * Bza[iz][CYM][CXM] - (ch / cyph[CYM]) * clf[iz][iy];
            Hz[iz][CYM][CXM] = (cxmh[CXM] / cxph[CXM]) * Hz[iz][CYM][CXM] + (mui * czp[iz] / cxph[CXM]) * tmp[iz][iy]
                               - (mui * czm[iz] / cxph[CXM]) * Bza[iz][CYM][CXM];
            Bza[iz][CYM][CXM] = tmp[iz][iy];
        }
    }
#pragma endscop
}
