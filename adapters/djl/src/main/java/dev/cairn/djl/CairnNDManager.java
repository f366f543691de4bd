package dev.cairn.djl;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.ndarray.BaseNDManager;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import java.lang.foreign.Arena;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;

/** Makes arrays in native memory, which the garbage collector reclaims. */
class CairnNDManager extends BaseNDManager {
  static final CairnNDManager SYSTEM = new SystemManager();
  private static final int ALIGNMENT = 64;

  /** The manager above all others; it stays open. */
  private static final class SystemManager extends CairnNDManager implements SystemNDManager {
    private SystemManager() {
      super(null, null);
    }

    @Override
    public void close() {}
  }

  private CairnNDManager(@Nullable NDManager parent, @Nullable Device device) {
    super(parent, device);
  }

  @Override
  public ByteBuffer allocateDirect(int capacity) {
    return Arena.ofAuto().allocate(capacity, ALIGNMENT).asByteBuffer().order(ByteOrder.nativeOrder());
  }

  @Override
  public CairnNDArray from(NDArray array) {
    if (array instanceof CairnNDArray own) {
      return own;
    }
    CairnNDArray copy = create(array.toByteBuffer(), array.getShape(), array.getDataType());
    copy.setName(array.getName());
    return copy;
  }

  @Override
  public CairnNDArray create(Buffer data, Shape shape, DataType dataType) {
    ArrayTypes.of(dataType);
    int count = Math.toIntExact(shape.size());
    BaseNDManager.validateBuffer(data, dataType, count);
    ByteBuffer bytes = allocateDirect(count * dataType.getNumOfBytes());
    BaseNDManager.copyBuffer(data, bytes);
    return over(bytes.rewind(), shape, dataType);
  }

  @Override
  public CairnNDArray create(Shape shape, DataType dataType) {
    ArrayTypes.of(dataType);
    return over(allocateDirect(Math.toIntExact(shape.size() * dataType.getNumOfBytes())), shape, dataType);
  }

  @Override
  public NDArray create(String[] data, Charset charset, Shape shape) {
    throw ArrayTypes.refused(DataType.STRING);
  }

  @Override
  public NDArray zeros(Shape shape, DataType dataType) {
    return create(shape, dataType);
  }

  /** An array over bytes of {@link #allocateDirect}, without a copy. */
  CairnNDArray over(ByteBuffer bytes, Shape shape, DataType dataType) {
    return new CairnNDArray(this, alternativeManager, bytes, shape, dataType);
  }

  @Override
  public CairnNDManager newSubManager(@Nullable Device device) {
    var manager = new CairnNDManager(this, device);
    attachInternal(manager.uid, manager);
    return manager;
  }

  @Override
  public Engine getEngine() {
    return CairnEngine.INSTANCE;
  }

  @Override
  public void close() {
    super.close();
    if (alternativeManager != null) {
      alternativeManager.close();
      alternativeManager = null;
    }
  }
}
