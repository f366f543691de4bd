package dev.cairn.runtime.train.data;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.NativeTensor;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.zip.ZipException;

/** Files in the IDX format of MNIST: a type, the extents, then all elements, high byte first; perhaps gzipped. */
public final class IdxFile {
  private static final int BYTE_BITS = 8;
  private static final int BLOCK = 1 << 16;
  private static final long MOST_BYTES = 1L << 34;

  private IdxFile() {}

  /**
   * Reads a file.
   *
   * @throws IllegalArgumentException when it is not an IDX file, or it is cut off; names the first row that is missing
   */
  public static TensorView read(Path file) throws IOException {
    try (var in = new DataInputStream(GzippedInput.open(file))) {
      TensorType type = type(in, file);
      long most = GzippedInput.mostBytes(file) - Integer.BYTES * (1L + type.shape().rank());
      if (type.bytes() > most) {
        throw cutOff(file, type, most);
      }
      TensorView view = NativeTensor.allocate(type);
      long read = fill(in, view);
      if (read < type.bytes()) {
        throw cutOff(file, type, read);
      }
      reverse(view);
      return view;
    } catch (EOFException e) {
      throw new IllegalArgumentException("a file is cut off: file=%s place=its header".formatted(file), e);
    } catch (ZipException e) {
      throw new IllegalArgumentException("a gzipped file is damaged: file=%s reason=%s".formatted(file, e.getMessage()),
        e);
    }
  }

  /** @param bytes of the elements that the file has, or can have at most */
  private static IllegalArgumentException cutOff(Path file, TensorType type, long bytes) {
    long row = bytes / Math.max(1, type.bytes() / Math.max(1, type.shape().extent(0)));
    return new IllegalArgumentException("a file is cut off: file=%s type=%s bytes=%d wanted=%d row=%d".formatted(file,
      type, bytes, type.bytes(), row));
  }

  /**
   * Reads images and labels as MNIST has them. Features are {@code float32[N,...]} from 0 to 1, and labels are
   * {@code int64[N]}.
   */
  public static ArrayDataset dataset(Path images, Path labels) throws IOException {
    TensorView bytes = read(labels);
    TensorView classes = NativeTensor.allocate(new TensorType(DType.INT64, bytes.shape()));
    for (long i = 0; i < bytes.elementCount(); i++) {
      classes.segment().setAtIndex(ValueLayout.JAVA_LONG, i, bytes.longAt(i));
    }
    return new ArrayDataset(read(images), classes).scaled(1.0 / 255);
  }

  private static TensorType type(DataInputStream in, Path file) throws IOException {
    int magic = in.readInt();
    int rank = magic & 0xFF;
    DType dtype = switch (magic >>> BYTE_BITS) {
      case 0x08 -> DType.UINT8;
      case 0x09 -> DType.INT8;
      case 0x0B -> DType.INT16;
      case 0x0C -> DType.INT32;
      case 0x0D -> DType.FLOAT32;
      case 0x0E -> DType.FLOAT64;
      default -> throw new IllegalArgumentException("not an IDX file: file=%s first=0x%08x".formatted(file, magic));
    };
    long[] extents = new long[rank];
    long bytes = dtype.bytes();
    for (int axis = 0; axis < rank; axis++) {
      extents[axis] = Integer.toUnsignedLong(in.readInt());
      bytes = Math.min(MOST_BYTES + 1, bytes * Math.min(extents[axis], MOST_BYTES));
    }
    if (rank < 1 || bytes > MOST_BYTES) {
      throw new IllegalArgumentException("not an IDX file of a usual size: file=%s axes=%d".formatted(file, rank));
    }
    return new TensorType(dtype, Shape.of(extents));
  }

  /** How many bytes there were. A gzipped file that ends early has as many as could be unpacked. */
  private static long fill(DataInputStream in, TensorView view) throws IOException {
    byte[] block = new byte[BLOCK];
    long done = 0;
    while (done < view.type().bytes()) {
      int count;
      try {
        count = in.read(block, 0, (int) Math.min(BLOCK, view.type().bytes() - done));
      } catch (EOFException e) {
        return done;
      }
      if (count < 0) {
        return done;
      }
      for (int i = 0; i < count; i++) {
        view.segment().set(ValueLayout.JAVA_BYTE, done + i, block[i]);
      }
      done += count;
    }
    return done;
  }

  private static void reverse(TensorView view) {
    int width = view.dtype().bytes();
    for (long i = 0; width > 1 && i < view.type().bytes(); i += width) {
      for (int low = 0; low < width / 2; low++) {
        byte first = view.segment().get(ValueLayout.JAVA_BYTE, i + low);
        view.segment().set(ValueLayout.JAVA_BYTE, i + low, view.segment().get(ValueLayout.JAVA_BYTE, i + width - 1
          - low));
        view.segment().set(ValueLayout.JAVA_BYTE, i + width - 1 - low, first);
      }
    }
  }
}
