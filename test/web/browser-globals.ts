/** What the web app expects of a browser when its files are loaded; import it before them. */
const target = new EventTarget();
const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });

Object.assign(globalThis, {
  addEventListener: target.addEventListener.bind(target),
  removeEventListener: target.removeEventListener.bind(target),
  dispatchEvent: target.dispatchEvent.bind(target),
  document: page,
  location: new URL('http://store.test/app'),
});
Object.defineProperty(globalThis, 'navigator', {
  value: { onLine: true, languages: ['en-GB', 'de-DE'] },
});
