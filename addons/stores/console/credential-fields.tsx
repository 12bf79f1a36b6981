import { useState } from 'preact/hooks';
import { Field } from '../../../web/ui/field.tsx';
import type { FormValues } from '../../../web/ui/form.tsx';
import { hasWord, t } from '../../../web/words.ts';
import type { StoreKind } from './connection-state.tsx';

interface CredentialFieldsProps {
  kind: StoreKind;
  /** The values that are needed together. */
  names: readonly string[];
}

/** What gives access to the API of the store, with where to find it. A wrong value is named when it is pasted. */
export function CredentialFields({ kind, names }: CredentialFieldsProps) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const fields = kind.credentials.filter(({ name }) => names.includes(name));
  return fields.map(({ name, label, help, pattern }) => (
    <Field
      key={name}
      name={name}
      label={wordFor(kind, `credential.${name}`, label)}
      hint={wordFor(kind, `credentialHelp.${name}`, help)}
      error={fits(pattern, values[name]) ? undefined : t('console-stores.credentialWrong')}
      onInput={(event) => {
        // What is typed is judged when the field is left, or until it is right.
        if (event.inputType === 'insertText' && fits(pattern, values[name])) return;
        setValues({ ...values, [name]: event.currentTarget.value.trim() });
      }}
      onChange={({ currentTarget: { value } }) => setValues({ ...values, [name]: value.trim() })}
      required
      autocomplete="off"
      autocapitalize="off"
      spellcheck={false}
      maxLength={1000}
    />
  ));
}

/** An extension can bring kinds that the console has no words for. */
function wordFor({ kind }: StoreKind, key: string, own: string): string {
  const known = `console-stores.${key}.${kind}`;
  return hasWord(known) ? t(known) : own;
}

function fits(pattern: string | null, value = ''): boolean {
  return value === '' || pattern === null || new RegExp(pattern).test(value);
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
