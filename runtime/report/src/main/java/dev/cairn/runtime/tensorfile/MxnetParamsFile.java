package dev.cairn.runtime.tensorfile;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads MXNet's files of arrays, {@code .params} and others that its {@code save} functions wrote, of all versions up
 * to 2.0. Parameters of models are named {@code arg:fc1_weight} and {@code aux:bn_moving_mean}. Arrays without names
 * are named {@code 0}, {@code 1} and so on. Sparse arrays are refused. The format is that of ndarray.cc.
 */
public final class MxnetParamsFile {
  private static final long LIST_MAGIC = 0x112;
  /** An array with a signed shape, without and with the kind of storage; with NumPy's scalars. */
  private static final int V1 = 0xF993FAC8;
  private static final int V2 = 0xF993FAC9;
  private static final int V3 = 0xF993FACA;
  private static final List<DType> TYPES = List.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16, DType.UINT8,
    DType.INT32, DType.INT8, DType.INT64, DType.BOOL, DType.INT16, DType.UINT16, DType.UINT32, DType.UINT64,
    DType.BFLOAT16);
  private static final int MOST_RANK = 32;
  private static final int MOST_NAME_BYTES = 1 << 16;

  private final FileChannel channel;
  private final Path file;
  private final long size;

  private MxnetParamsFile(FileChannel channel, Path file) throws IOException {
    this.channel = channel;
    this.file = file;
    this.size = channel.size();
  }

  /**
   * Reads all arrays into native memory, which lasts as long as anything refers to them, in the order of the file.
   *
   * @throws InvalidTensorFile when the file is damaged, or has arrays that Cairn cannot hold
   */
  public static Map<String, TensorView> read(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return new MxnetParamsFile(channel, file).read();
    }
  }

  private Map<String, TensorView> read() throws IOException {
    if (size < 24 || longNumber() != LIST_MAGIC || longNumber() != 0) {
      throw new InvalidTensorFile(file, 0, "not an MXNet file of arrays");
    }
    long count = count("arrays", 4);
    List<Optional<TensorView>> arrays = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      arrays.add(array());
    }
    long names = count("names", 8);
    if (names != 0 && names != count) {
      throw fault("the file has %d names for %d arrays".formatted(names, count));
    }
    Map<String, TensorView> named = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      String name = names == 0 ? Integer.toString(i) : name();
      if (arrays.get(i).isPresent() && named.put(name, arrays.get(i).get()) != null) {
        throw fault("two arrays have one name: name=" + name);
      }
    }
    return Collections.unmodifiableMap(named);
  }

  private long count(String what, int leastBytes) throws IOException {
    long count = longNumber();
    if (count < 0 || count > (size - channel.position()) / leastBytes) {
      throw fault("the file cannot hold so many %s: count=%s".formatted(what, Long.toUnsignedString(count)));
    }
    return count;
  }

  private String name() throws IOException {
    long length = count("letters of a name", 1);
    if (length > MOST_NAME_BYTES) {
      throw fault("a name is too long: bytes=%d most=%d".formatted(length, MOST_NAME_BYTES));
    }
    return new String(bytes((int) length).array(), StandardCharsets.UTF_8);
  }

  /** The next array; empty for a place without one. */
  private Optional<TensorView> array() throws IOException {
    int magic = number();
    if (magic == V2 || magic == V3) {
      int storage = number();
      if (storage != 0) {
        throw fault("a sparse array, which Cairn does not read: storage=" + switch (storage) {
          case 1 -> "row-sparse";
          case 2 -> "CSR";
          default -> Integer.toString(storage);
        });
      }
    }
    boolean signed = magic == V1 || magic == V2 || magic == V3;
    int rank = signed ? number() : magic;
    if (rank == -1 || (rank == 0 && magic != V3)) {
      return Optional.empty();
    }
    if (rank < 0 || rank > MOST_RANK) {
      throw fault("an array has an impossible rank: rank=" + Integer.toUnsignedString(rank));
    }
    long[] extents = new long[rank];
    for (int axis = 0; axis < rank; axis++) {
      extents[axis] = signed ? longNumber() : Integer.toUnsignedLong(number());
    }
    number(); // the kind of device
    number(); // the device
    return Optional.of(elements(extents, number()));
  }

  private TensorView elements(long[] extents, int code) throws IOException {
    if (code < 0 || code >= TYPES.size()) {
      throw fault("an array has an unknown element type: code=" + code);
    }
    DType dtype = TYPES.get(code);
    long bytes = dtype.bytes();
    for (long extent : extents) {
      if (extent < 0 || (extent != 0 && bytes > size / extent)) {
        throw fault("an array is larger than the file: extents=" + Arrays.toString(extents));
      }
      bytes *= extent;
    }
    if (bytes > size - channel.position()) {
      throw fault("the file is cut short: wantedBytes=%d bytes=%d".formatted(bytes, size - channel.position()));
    }
    var type = new TensorType(dtype, Shape.of(extents));
    MemorySegment data = TensorBytes.allocate(type);
    if (!TensorBytes.read(channel, data)) {
      throw fault("the file was truncated while it was read");
    }
    TensorBytes.normalise(dtype, data);
    return new TensorView(type, data);
  }

  private int number() throws IOException {
    return bytes(Integer.BYTES).getInt();
  }

  private long longNumber() throws IOException {
    return bytes(Long.BYTES).getLong();
  }

  private ByteBuffer bytes(int count) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(count).order(ByteOrder.LITTLE_ENDIAN);
    if (!TensorBytes.read(channel, bytes)) {
      throw fault("the file is cut short");
    }
    return bytes.flip();
  }

  private InvalidTensorFile fault(String what) throws IOException {
    return new InvalidTensorFile(file, channel.position(), what);
  }
}
