/** Where the console shows one object, by the kind of its events: the path in front of its id. */
const pathOf: Record<string, string> = {
  affiliate: 'affiliates/',
  coupon: 'coupons?coupon=',
  order: 'orders/',
  referral: 'orders/',
  registration: 'applications/',
};

/** Adds the objects of add-ons. */
export function addObjects(paths: Readonly<Record<string, string>>): void {
  Object.assign(pathOf, paths);
}

/** The address of one object; undefined if no screen shows it. */
export function hrefOfObject(kind: string, id: number): string | undefined {
  const path = pathOf[kind];
  return path === undefined || id === 0 ? undefined : `/console/${path}${id}`;
}
