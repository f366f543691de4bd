package dev.cairn.allocator.source;

import dev.cairn.allocator.Alignment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Puts memory behind parts of a reserved range of addresses. A part need not begin or end at a page's border: a page
 * that two parts share is there as long as one of them is, and the pages between a part's ends are mapped in one piece.
 * Not thread-safe: the calling thread has made the context current.
 */
final class CudaPageTable {
  private final int ordinal;
  private final long pageBytes;
  private final Map<Long, SharedPage> shared = new HashMap<>();
  private final Deque<Mapping> leftOver = new ArrayDeque<>();

  CudaPageTable(int ordinal, long pageBytes) {
    this.ordinal = ordinal;
    this.pageBytes = pageBytes;
  }

  private static final class SharedPage {
    private final CudaPages pages;
    private int users;

    SharedPage(CudaPages pages) {
      this.pages = pages;
    }
  }

  /** The mapping of one part. After a failure, the next call continues unmapping where it failed. */
  static final class Mapping {
    private final Deque<Runnable> undo = new ArrayDeque<>();

    void unmap() {
      while (!undo.isEmpty()) {
        undo.getLast().run();
        undo.removeLast();
      }
    }
  }

  /**
   * Maps a part; null when the device has no more memory. Then, and on a failure, nothing is left behind: pages that
   * could not be unmapped are unmapped before other pages are mapped.
   */
  @Nullable
  Mapping map(long address, long bytes) {
    unmapLeftOver();
    Mapping mapping = new Mapping();
    try {
      if (map(mapping, address, address + bytes)) {
        return mapping;
      }
    } catch (RuntimeException | Error e) {
      leftOver.add(mapping);
      try {
        unmapLeftOver();
      } catch (CudaSourceFailure second) {
        e.addSuppressed(second);
      }
      throw e;
    }
    leftOver.add(mapping);
    unmapLeftOver();
    return null;
  }

  /** Unmaps what could not be unmapped when its mapping failed. */
  void unmapLeftOver() {
    while (!leftOver.isEmpty()) {
      leftOver.getFirst().unmap();
      leftOver.removeFirst();
    }
  }

  private boolean map(Mapping mapping, long address, long end) {
    long first = Alignment.up(address, pageBytes);
    long last = Alignment.down(end, pageBytes);
    if (address < first && !share(mapping, first - pageBytes)) {
      return false;
    }
    // The first and the last page of a part within one page are the same.
    if (last < end && last >= first && !share(mapping, last)) {
      return false;
    }
    if (last <= first) {
      return true;
    }
    CudaPages inner = CudaPages.map(ordinal, first, last - first);
    if (inner != null) {
      mapping.undo.add(inner::unmap);
    }
    return inner != null;
  }

  private boolean share(Mapping mapping, long page) {
    SharedPage held = shared.get(page);
    if (held == null) {
      CudaPages pages = CudaPages.map(ordinal, page, pageBytes);
      if (pages == null) {
        return false;
      }
      held = new SharedPage(pages);
      shared.put(page, held);
    }
    held.users++;
    SharedPage used = held;
    mapping.undo.add(() -> leave(page, used));
    return true;
  }

  private void leave(long page, SharedPage used) {
    if (used.users == 1) {
      used.pages.unmap();
      shared.remove(page);
    }
    used.users--;
  }
}
