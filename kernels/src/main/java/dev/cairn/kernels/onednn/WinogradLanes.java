package dev.cairn.kernels.onednn;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.team.CpuStream;
import java.util.List;

/** A convolution by Winograd's algorithm, ready to run: all its tiles. */
record WinogradLanes(WinogradConvolution convolution, KernelCall call, List<WinogradLane> lanes) implements Prepared {
  WinogradLanes {
    lanes = List.copyOf(lanes);
  }

  @Override
  public void run() {
    call.workspace().asSlice(0, convolution.pixelBytes()).fill((byte) 0);
    if (lanes.size() == 1) {
      lanes.getFirst().run();
      return;
    }
    CpuStream.of(call).parallel(lanes.size(), 1, (first, end) -> {
      for (int lane = (int) first; lane < end; lane++) {
        lanes.get(lane).run();
      }
    });
  }

  @Override
  public void close() {
    lanes.forEach(WinogradLane::close);
  }
}
