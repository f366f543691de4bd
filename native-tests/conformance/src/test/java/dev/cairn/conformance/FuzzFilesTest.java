package dev.cairn.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.allocator.trace.InvalidTrace;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.report.trace.TraceFormat;
import dev.cairn.runtime.tensorfile.NpyFile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Damaged arrays and traces of allocations are read, or refused with a reason. */
class FuzzFilesTest {
  private static final List<String> TRACES = List.of("""
    Thread,Time,Action,Pointer,Size,Stream
    1,10:00:00.000001,allocate,0x10,256,0x0
    1,10:00:00.000002,allocate,0x20,512,0x0
    1,10:00:00.000003,free,0x10,256,0x0
    2,10:00:00.000004,allocate failure,0x0,1024,0x0
    2,10:00:00.000005,free,0x20,512,0x0
    """, """
    id,lower,upper,size
    b1,0,3,4
    b2,3,9,4
    b3,0,9,8
    """, """
    var alloc_data = {"elements_size": [512, 1024, 4096], "elements_info": ["a = {", "b \\" = }", "c"],
     "nested": {"actions": [7], "deep": [[{}]]}, "actions": [0, 1, 0, 2, 0, 1], "elements_category": [null, 1.5, true]};
    """);

  @TempDir
  private Path folder;

  @Test
  void damagedFilesAreReadOrRefused() throws IOException {
    fuzz(1, 2_500);
  }

  @Test
  @Tag("soak")
  void manyDamagedFilesAreReadOrRefused() throws IOException {
    fuzz(Long.getLong("cairn.soak.seed", 2), Integer.getInteger("cairn.soak.mutations", 100_000));
  }

  private void fuzz(long seed, int mutations) throws IOException {
    var mutator = new ByteMutator(new SplittableRandom(seed));
    int read = 0;
    for (int n = 0; n < mutations; n++) {
      boolean isArray = n % 2 == 0;
      byte[] whole = isArray ? array(n / 2) : TRACES.get(n / 2 % TRACES.size()).getBytes(UTF_8);
      byte[] damaged = mutator.mutated(n % 4 < 2 ? whole : mutator.mutated(whole));
      try {
        read += isRead(isArray, damaged) ? 1 : 0;
      } catch (RuntimeException | Error e) {
        throw new AssertionError("mutation %d: %s%n%s".formatted(n, e, Base64.getEncoder().encodeToString(damaged)), e);
      }
    }
    int good = read;
    assertTrue(good > mutations / 20 && good < mutations * 19 / 20, () -> "read=%d of %d".formatted(good, mutations));
  }

  private static byte[] array(int number) throws IOException {
    List<String> types = List.of("<f4", "|b1", "<i8", "|u1");
    byte[] header = "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }".formatted(types.get(number % types
      .size()), number % 5 == 0 ? "" : "2, 3").getBytes(UTF_8);
    var bytes = new ByteArrayOutputStream();
    bytes.write(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (byte) header.length, 0});
    bytes.write(header);
    bytes.write(new byte[48]);
    return bytes.toByteArray();
  }

  private boolean isRead(boolean isArray, byte[] bytes) throws IOException {
    try {
      if (isArray) {
        readArray(bytes);
      } else {
        TraceFormat.AUTO.read(new ByteArrayInputStream(bytes));
      }
      return true;
    } catch (IllegalArgumentException | InvalidTrace e) {
      assertTrue(e.getMessage() != null && !e.getMessage().isBlank(), "no reason");
      return false;
    }
  }

  private void readArray(byte[] bytes) throws IOException {
    Path file = folder.resolve("damaged.npy");
    // Ext4 waits for the disk when a file is emptied and written again.
    Files.deleteIfExists(file);
    TensorView view = NpyFile.read(Files.write(file, bytes));
    assertTrue(view.type().bytes() <= bytes.length, () -> "more than the file has: " + view.type());
    for (long i = 0; view.dtype() == DType.BOOL && i < view.elementCount(); i++) {
      assertTrue(view.longAt(i) == 0 || view.longAt(i) == 1, "neither 0 nor 1");
    }
  }
}
