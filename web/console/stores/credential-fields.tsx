import { Field } from '../../ui/field.tsx';
import type { FormValues } from '../../ui/form.tsx';
import type { StoreKind } from './connection-state.tsx';

/** What gives access to the API of the store, with where to find it. */
export function CredentialFields({ kind }: { kind: StoreKind }) {
  return kind.credentials.map(({ name, label, help, required }) => (
    <Field
      key={name}
      name={name}
      label={label}
      hint={help}
      required={required}
      autocomplete="off"
      autocapitalize="off"
      spellcheck={false}
      maxLength={1000}
    />
  ));
}

/** The values of a form, without the empty ones. */
export function credentialsIn(kind: StoreKind, values: FormValues): Record<string, string> {
  return Object.fromEntries(
    kind.credentials.flatMap(({ name }) => {
      const value = (values[name] ?? '').trim();
      return value === '' ? [] : [[name, value]];
    }),
  );
}
