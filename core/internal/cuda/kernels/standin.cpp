// A stand-in for libcuda.so.1 that runs the same kernels on the CPU, for tests: the part of the driver that package
// cuda calls, warp after warp. Threads may call it concurrently; calls are serialised.
//
// It detects, as far as it can, errors that a GPU would not report: fresh memory holds NaN, a block has guards on both
// sides that are checked when it is freed, and copies must lie within blocks. Warps can run in another order, to check
// that they are independent. And it fails on purpose: standin_set injects the faults that a test needs.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <mutex>
#include <string>

#include "all.cu"

namespace {
enum {
  OK = 0, INVALID = 1, MEMORY = 2, NO_DEVICE = 100, BAD_DEVICE = 101, BAD_PTX = 218, NOT_FOUND = 500,
  ILLEGAL = 700, UNKNOWN = 999,
};

struct Settings {
  u64 memory = 2ull << 30; // of the device
  int version = 12040, devices = 1, major = 9, minor = 0;
  int order = 0;            // 0 ascending, 1 descending, 2 in strides
  std::string skip;         // kernel that omits a warp
  int skip_warp = 0;
  i64 lost_after = -1;      // launches until the device is lost; −1: never
  int fail_copy = 0;        // copies to the host fail
  std::string bad_ptx;      // error message of the driver's compiler
  i64 launches = 0, to_device = 0, to_host = 0;
} settings;

const size_t guard = 64 << 10; // so wide that a kernel crippled by a test stays within
std::map<uintptr_t, size_t> blocks; // by their first byte after the guard
u64 used = 0;
int lost = OK;

std::mutex one; // guards the state above and the running of kernels
using Alone = std::lock_guard<std::mutex>;

bool within(uintptr_t p, size_t n) {
  auto next = blocks.upper_bound(p);
  if (next == blocks.begin()) return false;
  auto block = --next;
  return p + n <= block->first + block->second;
}
} // namespace

extern "C" {
// standin_set changes a setting and returns 0, or 1 if the name is unknown. "reset" restores all settings and frees all
// memory.
int standin_set(const char *name, const char *value) {
  Alone alone(one);
  std::string n = name;
  i64 number = atoll(value);
  if (n == "reset") {
    for (auto &block : blocks) free((char *)block.first - guard);
    blocks.clear();
    settings = Settings(), lost = OK, used = 0;
  }
  else if (n == "memory") settings.memory = number;
  else if (n == "version") settings.version = number;
  else if (n == "devices") settings.devices = number;
  else if (n == "major") settings.major = number;
  else if (n == "order") settings.order = number;
  else if (n == "skip") settings.skip = value;
  else if (n == "skip_warp") settings.skip_warp = number;
  else if (n == "lost_after") settings.lost_after = number;
  else if (n == "fail_copy") settings.fail_copy = number;
  else if (n == "bad_ptx") settings.bad_ptx = value;
  else return 1;
  return 0;
}
// standin_get returns a count: launches, bytes to_device, bytes to_host, bytes used, blocks.
i64 standin_get(const char *name) {
  Alone alone(one);
  std::string n = name;
  return n == "launches" ? settings.launches : n == "to_device" ? settings.to_device : n == "to_host" ? settings.to_host
       : n == "used" ? (i64)used : n == "blocks" ? (i64)blocks.size() : -1;
}

int cuInit(unsigned) { return settings.devices ? OK : NO_DEVICE; }
int cuDriverGetVersion(int *v) { *v = settings.version; return OK; }
int cuDeviceGetCount(int *n) { *n = settings.devices; return OK; }
int cuDeviceGet(int *d, int n) { *d = n; return n < settings.devices ? OK : BAD_DEVICE; }
int cuDeviceGetName(char *name, int n, int) { snprintf(name, n, "Stand-in"); return OK; }
int cuDeviceGetAttribute(int *v, int a, int) {
  if (a == 75) *v = settings.major;
  else if (a == 76) *v = settings.minor;
  else return INVALID;
  return OK;
}
int cuDevicePrimaryCtxRetain(void **c, int) { *c = &settings; return OK; }
int cuDevicePrimaryCtxRelease_v2(int) { return OK; }
int cuCtxSetCurrent(void *c) { return c == &settings ? OK : INVALID; }
int cuCtxSynchronize() {
  Alone alone(one);
  return lost;
}
int cuMemGetInfo_v2(size_t *free_, size_t *total_) {
  Alone alone(one);
  *free_ = settings.memory > used ? settings.memory - used : 0;
  *total_ = settings.memory;
  return lost;
}
int cuMemAlloc_v2(u64 *p, size_t n) {
  Alone alone(one);
  if (lost) return lost;
  if (n == 0) return INVALID;
  if (used + n > settings.memory) return MEMORY;
  char *raw = (char *)aligned_alloc(256, (n + 2 * guard + 255) / 256 * 256);
  if (!raw) return MEMORY;
  memset(raw, 0xff, (n + 2 * guard + 255) / 256 * 256); // NaN
  used += n;
  *p = (u64)(raw + guard);
  blocks[(uintptr_t)*p] = n;
  return OK;
}
int cuMemFree_v2(u64 p) {
  Alone alone(one);
  auto block = blocks.find((uintptr_t)p);
  if (block == blocks.end()) return INVALID;
  unsigned char *raw = (unsigned char *)(uintptr_t)p;
  bool whole = true;
  for (size_t i = 1; i <= guard; i++) whole &= raw[-(i64)i] == 0xff;
  for (size_t i = 0; i < guard; i++) whole &= raw[block->second + i] == 0xff;
  used -= block->second;
  blocks.erase(block);
  free(raw - guard);
  return whole ? lost : ILLEGAL;
}
int cuMemcpyHtoD_v2(u64 to, const void *from, size_t n) {
  Alone alone(one);
  if (lost) return lost;
  if (!within((uintptr_t)to, n)) return INVALID;
  memcpy((void *)(uintptr_t)to, from, n);
  settings.to_device += n;
  return OK;
}
int cuMemcpyDtoH_v2(void *to, u64 from, size_t n) {
  Alone alone(one);
  if (lost) return lost;
  if (settings.fail_copy) return lost = UNKNOWN;
  if (!within((uintptr_t)from, n)) return INVALID;
  memcpy(to, (void *)(uintptr_t)from, n);
  settings.to_host += n;
  return OK;
}
int cuMemsetD32_v2(u64 p, unsigned v, size_t n) {
  Alone alone(one);
  if (lost) return lost;
  if (!within((uintptr_t)p, 4 * n)) return INVALID;
  for (size_t i = 0; i < n; i++) ((unsigned *)(uintptr_t)p)[i] = v;
  return OK;
}
// The options are those that package cuda passes: an error log and its size.
int cuModuleLoadDataEx(void **m, const void *image, unsigned n, const int *options, void **values) {
  if (!settings.bad_ptx.empty()) {
    for (unsigned i = 0; i + 1 < n; i++)
      if (options[i] == 5 && options[i + 1] == 6)
        snprintf((char *)values[i], (size_t)values[i + 1], "%s", settings.bad_ptx.c_str());
    return BAD_PTX;
  }
  *m = (void *)image;
  return OK;
}
int cuModuleUnload(void *) { return OK; }
int cuModuleGetFunction(void **f, void *, const char *name) {
  Alone alone(one);
  // The symbols of this library, whatever else the process has loaded.
  static void *self = [] {
    Dl_info info;
    dladdr((void *)&cuInit, &info);
    return dlopen(info.dli_fname, RTLD_NOLOAD | RTLD_NOW);
  }();
  static std::map<std::string, std::pair<std::string, void *>> known;
  void *symbol = dlsym(self, name);
  if (!symbol) return NOT_FOUND;
  auto &entry = known[name];
  entry = {name, symbol};
  *f = &entry;
  return OK;
}
int cuLaunchKernel(void *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                   unsigned, void *, void **params, void **) {
  Alone alone(one);
  if (lost) return lost;
  if (gx == 0 || gy < 1 || gy > 3 || gz != 1 || bx != 128 || by != 1 || bz != 1) return INVALID;
  if (settings.lost_after >= 0 && settings.launches >= settings.lost_after) {
    lost = ILLEGAL; // asynchronous: the launch itself succeeds
    return OK;
  }
  settings.launches++;
  auto &entry = *(std::pair<std::string, void *> *)f;
  auto kernel = (void (*)(const Tasks *, int, i64))entry.second;
  i64 n = 4 * (i64)gx, skipped = entry.first == settings.skip ? settings.skip_warp : -1;
  for (unsigned k = 0; k < gy; k++) {
    int task = settings.order == 1 ? gy - 1 - k : k;
    for (i64 i = 0; i < n; i++) {
      i64 warp = settings.order == 0 ? i : settings.order == 1 ? n - 1 - i : i % 4 * (n / 4) + i / 4;
      if (warp != skipped) kernel((const Tasks *)params[0], task, warp);
    }
  }
  return OK;
}
int cuGetErrorName(int code, const char **name) {
  static const std::map<int, const char *> names = {
    {INVALID, "CUDA_ERROR_INVALID_VALUE"}, {MEMORY, "CUDA_ERROR_OUT_OF_MEMORY"},
    {NO_DEVICE, "CUDA_ERROR_NO_DEVICE"}, {BAD_DEVICE, "CUDA_ERROR_INVALID_DEVICE"}, {BAD_PTX, "CUDA_ERROR_INVALID_PTX"},
    {NOT_FOUND, "CUDA_ERROR_NOT_FOUND"}, {ILLEGAL, "CUDA_ERROR_ILLEGAL_ADDRESS"}, {UNKNOWN, "CUDA_ERROR_UNKNOWN"}};
  auto found = names.find(code);
  if (found == names.end()) return INVALID;
  *name = found->second;
  return OK;
}
int cuGetErrorString(int code, const char **text) {
  static const std::map<int, const char *> texts = {
    {INVALID, "invalid argument"}, {MEMORY, "out of memory"},
    {NO_DEVICE, "no CUDA-capable device is detected"},
    {BAD_DEVICE, "invalid device ordinal"}, {BAD_PTX, "a PTX JIT compilation failed"},
    {NOT_FOUND, "named symbol not found"},
    {ILLEGAL, "an illegal memory access was encountered"}, {UNKNOWN, "unknown error"}};
  auto found = texts.find(code);
  if (found == texts.end()) return INVALID;
  *text = found->second;
  return OK;
}
}
