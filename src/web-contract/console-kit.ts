import type { Language } from '../shared/languages.ts';

/** What a component shows; Preact's type, which an extension need not install. */
type Shown = unknown;
/** A component of the console. Its properties are in the guide for extensions. */
type Component = (props: any) => Shown;

export interface LoadedData<T> {
  /** The last data, also while newer is loading. */
  readonly data: T | undefined;
  readonly error: unknown;
  retry(): void;
}

/**
 * What a screen of an extension is made from: Preact, the calls of the console, and its components. The script of the screen
 * exports a function that gets it and returns the component that is the screen.
 */
export interface ConsoleKit {
  /** Makes an element, as JSX does: `h(kit.ui.Card, { title }, …)`. */
  readonly h: (type: string | Component, props?: object | null, ...children: unknown[]) => Shown;
  /** Around several elements. */
  readonly Fragment: Component;
  useState<T>(initial: T): [T, (value: T) => void];
  useLayoutEffect(run: () => void | (() => void), inputs?: readonly unknown[]): void;
  readonly language: Language;
  /**
   * A function that answers messages of the screen in the reader's language, in English where there is no other. `{name}` is
   * replaced, `count` chooses between `key.one` and `key.other`, and `{affiliate}` is what the store calls its affiliates.
   */
  words(
    texts: Readonly<Partial<Record<Language, Readonly<Record<string, string>>>>>,
  ): (key: string, values?: Readonly<Record<string, string | number>>) => string;
  /** Calls a route with the session of the browser: `request('GET', '/svc/store/v1/tips')`. */
  request<T>(method: string, path: string, input?: object, options?: object): Promise<T>;
  /** Data for the screen. It is kept, loaded again when it is old, and again after failures that pass. */
  useData<T>(input: Readonly<Record<string, unknown>>, load: () => Promise<T>): LoadedData<T>;
  /** After a change: loads again what the screen shows. */
  refresh(): Promise<void>;
  /**
   * Makes a change without a form: asks for the password where one is needed. `options` go to `request`, so that it is made
   * once however often it is sent.
   */
  act<T>(change: (options: object) => Promise<T>): Promise<T>;
  /** Dates, amounts and numbers as the console writes them. */
  readonly format: {
    date(date: string): string;
    money(amount: number): string;
    number(value: number): string;
  };
  readonly ui: Readonly<
    Record<
      | 'AreaField'
      | 'Button'
      | 'Card'
      | 'DataTable'
      | 'EmptyState'
      | 'Field'
      | 'Form'
      | 'Link'
      | 'Moment'
      | 'Notice'
      | 'Pending'
      | 'Pill'
      | 'Screen'
      | 'SelectField',
      Component
    >
  >;
}
