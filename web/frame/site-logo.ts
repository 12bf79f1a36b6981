/** The path of the store's logo, which the page of the app names; undefined without one. */
export function siteLogo(): string | undefined {
  return document.getElementById('app')!.dataset['logo'] || undefined;
}
