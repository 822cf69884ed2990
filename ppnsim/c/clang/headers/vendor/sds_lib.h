/* Declarations of SDSoC's library of the host (UG1235), which makes no hardware, for reading kernels beside it. */
#ifndef PPNSIM_SDS_LIB_H
#define PPNSIM_SDS_LIB_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
void sds_wait(unsigned int id);
int sds_try_wait(unsigned int id);
void *sds_alloc(size_t size);
void *sds_alloc_cacheable(size_t size);
void *sds_alloc_non_cacheable(size_t size);
void sds_free(void *memory);
void *sds_mmap(void *physical_addr, size_t size, void *virtual_addr);
void sds_munmap(void *virtual_addr);
void sds_register_dmabuf(void *virtual_addr, int fd);
void sds_unregister_dmabuf(void *virtual_addr);
unsigned long long sds_clock_counter(void);
unsigned long long sds_clock_frequency(void);
void sds_set_counter(unsigned long long value);
#ifdef __cplusplus
}
#endif
#endif
