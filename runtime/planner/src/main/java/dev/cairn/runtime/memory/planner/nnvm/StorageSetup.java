package dev.cairn.runtime.memory.planner.nnvm;

import java.util.ArrayList;
import java.util.List;

/**
 * The memory that NNVM's graph runtime allocates for a plan (its SetupStorage): one flat block for each storage id,
 * big enough for the biggest entry in it, and each entry a view of its block's beginning. Sizes are the types' real
 * ones, whatever the planner counted.
 *
 * @param blocks by storage id
 * @param views by entry id
 */
public record StorageSetup(List<Block> blocks, List<View> views) {
  /**
   * One allocation.
   *
   * @param bytes of its biggest entry
   * @param device {@value #NO_DEVICE} for an id that no entry has
   */
  public record Block(long bytes, int device) {
    /** The device of a block that nobody uses. */
    public static final int NO_DEVICE = -1;

    /** The length of the float array that TVM allocates for it. */
    public long floats() {
      return Math.ceilDiv(bytes, (long) Float.BYTES);
    }
  }

  /** An entry: a block seen as so many elements of a type. */
  public record View(int block, ElementType type, long elements) {}

  public StorageSetup {
    blocks = List.copyOf(blocks);
    views = List.copyOf(views);
  }

  /**
   * Blocks and views for these storage ids, by entry id.
   *
   * @throws IllegalArgumentException when an entry has no storage or no shape, or two on different devices share one
   */
  public static StorageSetup of(NnvmGraph graph, List<Integer> storageIds) {
    List<Block> blocks = new ArrayList<>();
    List<View> views = new ArrayList<>();
    for (int entryId = 0; entryId < graph.entryCount(); entryId++) {
      NnvmNode node = graph.node(graph.producer(entryId));
      NnvmEntry entry = graph.entry(entryId);
      int id = storageIds.get(entryId);
      if (id < 0 || !entry.isShapeKnown()) {
        throw new IllegalArgumentException("entry without static storage: node=%s entry=%d storage=%d elements=%d"
          .formatted(node.name(), entryId, id, entry.elements()));
      }
      while (blocks.size() <= id) {
        blocks.add(new Block(0, Block.NO_DEVICE));
      }
      Block block = blocks.get(id);
      if (block.device() != Block.NO_DEVICE && block.device() != node.device()) {
        throw new IllegalArgumentException("two devices on one storage: node=%s storage=%d device=%d other=%d"
          .formatted(node.name(), id, node.device(), block.device()));
      }
      blocks.set(id, new Block(Math.max(block.bytes(), entry.bytes()), node.device()));
      views.add(new View(id, entry.type(), entry.elements()));
    }
    return new StorageSetup(blocks, views);
  }

  /** Bytes of all blocks together. */
  public long bytes() {
    return blocks.stream().mapToLong(Block::bytes).reduce(0, Math::addExact);
  }
}
