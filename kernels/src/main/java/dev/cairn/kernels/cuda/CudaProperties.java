package dev.cairn.kernels.cuda;

import static jcuda.driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR;
import static jcuda.driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR;
import static jcuda.driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN;
import static jcuda.driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK;
import static jcuda.driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT;

import java.util.function.IntUnaryOperator;

/**
 * What a device is.
 *
 * @param name what its maker calls it
 * @param memoryBytes all of its memory
 * @param major the compute capability's first number
 * @param minor its second
 * @param multiprocessors how many of them there are
 * @param maximumBlockThreads the most threads of a block
 * @param maximumSharedBytes the most shared memory of a block, where its kernel asked for more than the usual 48 KiB
 */
public record CudaProperties(String name, long memoryBytes, int major, int minor, int multiprocessors,
  int maximumBlockThreads, int maximumSharedBytes) {

  static CudaProperties read(String name, long memoryBytes, IntUnaryOperator attribute) {
    return new CudaProperties(name, memoryBytes,
      attribute.applyAsInt(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
      attribute.applyAsInt(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR),
      attribute.applyAsInt(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
      attribute.applyAsInt(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
      attribute.applyAsInt(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN));
  }

  /** The architecture that code is compiled for, as compilers write it: {@code sm_90}. */
  public String architecture() {
    return "sm_" + major + minor;
  }
}
