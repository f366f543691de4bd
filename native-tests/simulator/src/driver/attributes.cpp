// CUdevice_attribute by number. A small GPU of the newest kind that Cairn's kernels are compiled for.
#include "device.h"

namespace sim {

int attribute(int number) {
  switch (number) {
    case 1: return 1024;              // threads of a block
    case 2: case 3: return 1024;      // block x, y
    case 4: return 64;                // block z
    case 5: return 2147483647;        // grid x
    case 6: case 7: return 65535;     // grid y, z
    case 8: return 48 << 10;          // shared memory of a block
    case 9: return 64 << 10;          // constant memory
    case 10: return 32;               // warp
    case 11: return 2147483647;       // pitch of a copy
    case 12: return 65536;            // registers of a block
    case 13: return 1000000;          // clock in kHz
    case 14: return 512;              // texture alignment
    case 15: return 1;                // copies overlap kernels
    case 16: return 2;                // multiprocessors
    case 19: return 1;                // host memory can be mapped
    case 31: return 1;                // concurrent kernels
    case 33: return 1;                // PCI bus
    case 36: return 1000000;          // memory clock in kHz
    case 37: return 64;               // bus width in bits
    case 38: return 1 << 20;          // L2 in bytes
    case 39: return 2048;             // threads of a multiprocessor
    case 40: return 2;                // copy engines
    case 41: return 1;                // unified addressing
    case 75: return 9;                // compute capability
    case 76: return 0;
    case 78: return 1;                // stream priorities, though without effect
    case 81: return 228 << 10;        // shared memory of a multiprocessor
    case 82: return 65536;            // registers of a multiprocessor
    case 83: return 1;                // managed memory
    case 89: return 1;                // managed memory touched from both sides at once
    case 91: return 1;                // registered host memory keeps its address
    case 97: return 227 << 10;        // shared memory of a block, asked for
    case 102: return 1;               // virtual memory management
    case 106: return 32;              // blocks of a multiprocessor
    case 115: return 1;               // memory pools
    default: return 0;
  }
}

}  // namespace sim
