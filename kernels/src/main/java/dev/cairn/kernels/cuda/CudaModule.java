package dev.cairn.kernels.cuda;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import jcuda.driver.CUmodule;

/** Compiled code that is loaded into a context. Closing the module invalidates its functions. */
public final class CudaModule extends CudaObject {
  private static final byte[] ELF_MAGIC = {0x7f, 'E', 'L', 'F'};
  private static final int ELF_HEADER_BYTES = 64;

  private final CUmodule handle;

  private CudaModule(CudaContext context, CUmodule handle) {
    super(context);
    this.handle = handle;
  }

  static CudaModule load(CudaContext context, byte[] image) {
    requireWhole(image);
    // The driver reads PTX up to a zero byte. An additional byte does no harm to other code.
    byte[] terminated = Arrays.copyOf(image, image.length + 1);
    CudaModule module = new CudaModule(context, context.enter().loadModule(terminated));
    context.adopt(module);
    return module;
  }

  /**
   * Requires that an image is complete. The driver does not know an image's length, so it would read past the end of a
   * truncated one. An ELF file states where its tables of segments and sections are; compilers put one of them at the
   * end.
   */
  private static void requireWhole(byte[] image) {
    if (image.length < ELF_MAGIC.length || !Arrays.equals(image, 0, ELF_MAGIC.length, ELF_MAGIC, 0, ELF_MAGIC.length)) {
      return;
    }
    boolean whole = image.length >= ELF_HEADER_BYTES;
    if (whole) {
      ByteBuffer header = ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN);
      whole = holdsTable(header, 32, 54) && holdsTable(header, 40, 58);
    }
    if (!whole) {
      throw new IllegalArgumentException("image is cut off: imageBytes=" + image.length);
    }
  }

  /** Whether a table is within the file. The header states its start, and the size and count of its entries. */
  private static boolean holdsTable(ByteBuffer image, int offsetAt, int sizeAt) {
    long offset = image.getLong(offsetAt);
    long bytes = (long) Short.toUnsignedInt(image.getShort(sizeAt)) * Short.toUnsignedInt(image.getShort(sizeAt + 2));
    return offset >= 0 && offset <= image.limit() - bytes;
  }

  /**
   * Finds a kernel of this module.
   *
   * @throws IllegalArgumentException if it has no kernel with this name
   */
  public CudaFunction function(String name) {
    GraphNodeCalls.Function function = enter().function(handle, name);
    if (function == null) {
      throw new IllegalArgumentException("module has no such kernel: name=" + name);
    }
    return new CudaFunction(this, function, name);
  }

  @Override
  void destroy(CudaDriver driver) {
    driver.unload(handle);
  }
}
