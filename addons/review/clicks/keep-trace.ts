import { perSite, type Site } from '../../../src/kernel/declare/site.ts';
import type { KeepOrigin } from '../../../src/modules/clicks/index.ts';
import { BoundedMap } from '../../../src/shared/bounded-map.ts';
import { widerNetworkOf } from '../../../src/shared/network.ts';
import { rulesNow } from '../settings.ts';
import { adParametersIn } from './ad-parameters.ts';
import { traces } from './trace-rows.ts';

const HOST_LENGTH_MAX = 253;
const NETWORKS_MAX = 10_000;

/** Keeps the host of the referrer, the names of ad parameters, and a keyed hash of the network. */
export const keepTrace: KeepOrigin = (tx, site, { id, couponId }, origin) => {
  const referrer = hostOf(origin.referrer);
  const ads = adParametersIn(origin.search, rulesNow(site).paid_ads.parameters).join(' ');
  const { network } = origin;
  if (referrer === '' && ads === '' && network === undefined) return;
  tx.pending(traces).list.push({
    click_id: id,
    coupon_id: couponId,
    recorded_at: site.clock(),
    referrer,
    ads,
    network_hash: network === undefined ? null : hashNetwork(site, network),
  });
};

/** The host of a URL in lower case; empty if it has none, or more characters than a host can have. */
function hostOf(url: string): string {
  const host = url === '' ? '' : (URL.parse(url)?.hostname.toLowerCase() ?? '');
  return host.length > HOST_LENGTH_MAX ? '' : host;
}

/** Computing one costs as much as two statements, and many visitors share a network. */
const hashes = perSite(() => new BoundedMap<string, string>(NETWORKS_MAX));

function hashNetwork(site: Site, network: string): string {
  const wider = widerNetworkOf(network);
  const known = hashes(site);
  let hash = known.get(wider);
  if (hash === undefined) known.set(wider, (hash = site.keyring.hash('click network', wider)));
  return hash;
}
