package dev.cairn.runtime.report.plan;

/**
 * The purpose of a buffer, in words.
 *
 * @param owner the node that writes it: a node's name, or the buffer's own
 * @param kind of its owner, by which it is coloured: an operator's name; empty when nothing is known
 * @param tensors what lies in it; empty when nothing is known
 * @param scratch whether it only holds a kernel's scratch memory
 */
public record BufferLabel(String owner, String kind, String tensors, boolean scratch) {
  /** A label of a buffer of which only the name is known. */
  public static BufferLabel named(String name) {
    return new BufferLabel(name, "", "", false);
  }
}
