package dev.cairn.kernels.cuda;

import static jcuda.driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR;
import static jcuda.driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR;
import static jcuda.driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN;
import static jcuda.driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK;
import static jcuda.driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT;

import java.util.function.IntUnaryOperator;

/**
 * The properties of a device.
 *
 * @param name the vendor's name of the device
 * @param memoryBytes the size of its memory
 * @param major the first number of its compute capability
 * @param minor the second number of its compute capability
 * @param multiprocessors the number of multiprocessors
 * @param maximumBlockThreads the most threads in a block
 * @param maximumSharedBytes the most shared memory of a block, for a kernel that requests more than the default 48 KiB
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

  /** The architecture in the notation of compilers: {@code sm_90}. */
  public String architecture() {
    return "sm_" + major + minor;
  }
}
