package dev.cairn.kernels.cuda.load.elf;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The processor that an ELF file is for. The dynamic loader silently skips libraries for other processors. */
public final class ElfMachine {
  private static final int BYTES = 20;
  private static final int MAGIC = 0x464c457f;
  private static final int X86 = 3;
  private static final int ARM = 40;
  private static final int AARCH64 = 183;
  private static final int PPC64 = 21;
  private static final int RISC_V = 243;

  private ElfMachine() {}

  /**
   * The name of the processor, if the file is not for x86-64. Empty also if the file is not an ELF file.
   *
   * @param file a path. The result is empty for a bare name, which only the dynamic loader can resolve
   */
  public static Optional<String> otherThanOurs(Path file) {
    if (file.getParent() == null) {
      return Optional.empty();
    }
    byte[] head;
    try (InputStream in = Files.newInputStream(file)) {
      head = in.readNBytes(BYTES);
    } catch (IOException e) {
      return Optional.empty();
    }
    if (head.length < BYTES || ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN).getInt() != MAGIC) {
      return Optional.empty();
    }
    boolean isLittle = head[5] != 2;
    int machine = ByteBuffer.wrap(head).order(isLittle ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN).getShort(18);
    return machine == ElfImage.X86_64 ? Optional.empty() : Optional.of(name(machine));
  }

  private static String name(int machine) {
    return switch (machine) {
      case X86 -> "x86 (32 bits)";
      case ARM -> "arm (32 bits)";
      case AARCH64 -> "aarch64";
      case PPC64 -> "ppc64";
      case RISC_V -> "riscv";
      default -> "ELF machine " + machine;
    };
  }
}
