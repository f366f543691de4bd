package dev.cairn.allocator.layer;

import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Shares one upstream among tenants, each with a quota of its own. Safe for use by many threads. Owns the upstream, and
 * closes the tenants with itself. The quotas may add up to more than the upstream has: a tenant within its quota is
 * then refused by the upstream, and told so.
 */
public final class TenantQuotas implements AutoCloseable {
  private final Allocator upstream;
  private final List<Tenant> tenants = new ArrayList<>();
  private boolean closed;

  /** Shares {@code upstream}, which from now on nobody else uses. */
  public TenantQuotas(Allocator upstream) {
    this.upstream = upstream;
  }

  /**
   * A new tenant that may hold {@code quotaBytes}, slack included.
   *
   * @throws IllegalArgumentException when a tenant that isn't closed has that name, or the quota is negative
   */
  public synchronized Tenant tenant(String name, long quotaBytes) {
    requireOpen();
    if (quotaBytes < 0) {
      throw new IllegalArgumentException(
        "quota must not be negative: tenant=%s quotaBytes=%d".formatted(name, quotaBytes));
    }
    if (tenants.stream().anyMatch(tenant -> tenant.name().equals(name))) {
      throw new IllegalArgumentException("there is such a tenant already: tenant=" + name);
    }
    Tenant tenant = new Tenant(this, upstream, name, quotaBytes);
    tenants.add(tenant);
    return tenant;
  }

  /** Those that aren't closed, in the order in which they came. */
  public synchronized List<Tenant> tenants() {
    return List.copyOf(tenants);
  }

  /** What the tenants share; for figures and for trimming, which are about all of them. */
  public Allocator upstream() {
    return upstream;
  }

  /** Who holds a block, for messages. */
  Optional<Tenant> holderOf(Block block) {
    return tenants().stream().filter(tenant -> tenant.holds(block)).findFirst();
  }

  synchronized void leave(Tenant tenant) {
    tenants.remove(tenant);
  }

  /**
   * Closes all tenants and the upstream.
   *
   * @throws IllegalStateException when a tenant still holds blocks (nothing is changed then), or when closed before
   */
  @Override
  public synchronized void close() {
    requireOpen();
    tenants.forEach(Tenant::requireEmpty);
    upstream.close();
    closed = true;
    tenants.forEach(Tenant::end);
    tenants.clear();
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("tenants' allocator is closed: space=" + upstream.space());
    }
  }
}
