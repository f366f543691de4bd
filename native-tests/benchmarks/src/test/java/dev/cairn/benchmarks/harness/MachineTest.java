package dev.cairn.benchmarks.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class MachineTest {
  @Test
  void readsTheFieldsOfTheKernelsFiles() {
    List<String> status = List.of("Name:\tjava", "VmPeak:\t  999 kB", "VmHWM:\t  1234 kB", "VmRSS:\t   12 kB");
    assertEquals(1234, Machine.kibibytes(status, "VmHWM"));
    assertThrows(IllegalStateException.class, () -> Machine.kibibytes(status, "Name"));
    assertThrows(IllegalStateException.class, () -> Machine.kibibytes(status, "VmSwap"));
    assertEquals("A: Quick One",
      Machine.processor(List.of("processor\t: 0", "model name\t: A: Quick One", "model name\t: B")));
    assertTrue(Machine.processor(List.of("processor\t: 0")).startsWith("unnamed "));
  }

  @Test
  void peakGrowsWithMemoryThatIsTouched() throws IOException {
    long before = Machine.peakResidentBytes();
    int bytes = 64 << 20;
    byte[] touched = new byte[bytes];
    for (int i = 0; i < bytes; i += 1024) {
      touched[i] = 1;
    }
    assertTrue(before > 0);
    assertTrue(Machine.peakResidentBytes() >= before, "a peak never falls");
    assertTrue(Machine.peakResidentBytes() >= bytes, "and holds what was touched");
    assertEquals(1, touched[1024]);
  }

  @Test
  void thisMachineHasAllItsFacts() throws IOException {
    Machine machine = Machine.here();
    assertTrue(machine.processors() >= 1 && machine.memoryBytes() > 1 << 20 && machine.load() >= 0, machine.toString());
    assertTrue(machine.toString().contains(Runtime.version().toString()), machine.toString());
  }
}
