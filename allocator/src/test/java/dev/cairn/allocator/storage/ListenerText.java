package dev.cairn.allocator.storage;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Owner;

/** What a listener is told, in signs: {@code +R} and {@code -R} for regions, {@code +} and {@code -} for blocks. */
final class ListenerText implements AllocationListener {
  private final StringBuilder text;

  private ListenerText(StringBuilder text) {
    this.text = text;
  }

  static AllocationListener into(StringBuilder text) {
    return new ListenerText(text);
  }

  @Override
  public void granted(long allocationId, long address, long bytes, long requestedBytes, Owner owner) {
    text.append('+').append(allocationId).append('/').append(requestedBytes).append(' ');
  }

  @Override
  public void freed(long allocationId, long address, long bytes) {
    text.append('-').append(allocationId).append(' ');
  }

  @Override
  public void regionAdded(long address, long bytes) {
    text.append("+R").append(bytes).append(' ');
  }

  @Override
  public void regionReleased(long address, long bytes) {
    text.append("-R").append(bytes).append(' ');
  }

  @Override
  public void refused(OutOfMemory refusal) {
    text.append('!').append(refusal.requestedBytes()).append(' ');
  }
}
