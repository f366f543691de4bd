package dev.cairn.runtime.cli;

import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;

/** A folder of square images in MNIST's files: the brightness of an image tells its class. */
final class IdxFolder {
  private static final int CLASSES = 3;

  private IdxFolder() {}

  static Path write(Path folder, int side, int train, int test) throws IOException {
    Files.createDirectories(folder);
    write(folder, "train", side, train);
    write(folder, "t10k", side, test);
    return folder;
  }

  private static void write(Path folder, String part, int side, int images) throws IOException {
    try (var out = file(folder, part + "-images-idx3-ubyte.gz", images, side, side)) {
      for (int i = 0; i < images * side * side; i++) {
        out.writeByte(80 * (i / (side * side) % CLASSES) + i % 7);
      }
    }
    try (var out = file(folder, part + "-labels-idx1-ubyte.gz", images)) {
      for (int i = 0; i < images; i++) {
        out.writeByte(i % CLASSES);
      }
    }
  }

  private static DataOutputStream file(Path folder, String name, int... extents) throws IOException {
    var out = new DataOutputStream(new GZIPOutputStream(Files.newOutputStream(folder.resolve(name))));
    out.writeInt(0x0800 + extents.length);
    for (int extent : extents) {
      out.writeInt(extent);
    }
    return out;
  }
}
