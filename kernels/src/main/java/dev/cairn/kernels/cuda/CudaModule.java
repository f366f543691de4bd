package dev.cairn.kernels.cuda;

import jcuda.driver.CUmodule;

/** Compiled code that is loaded into a context. Closing it takes its functions along. */
public final class CudaModule extends CudaObject {
  private final CUmodule handle;

  private CudaModule(CudaContext context, CUmodule handle) {
    super(context);
    this.handle = handle;
  }

  static CudaModule load(CudaContext context, byte[] image) {
    // The driver reads PTX up to a zero byte; one more does no harm to other code.
    byte[] terminated = java.util.Arrays.copyOf(image, image.length + 1);
    CudaModule module = new CudaModule(context, context.enter().loadModule(terminated));
    context.adopt(module);
    return module;
  }

  /**
   * A kernel of this module.
   *
   * @throws IllegalArgumentException when it has none of that name
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
