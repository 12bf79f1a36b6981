import type { ComponentChildren } from 'preact';
import { useContext, useState } from 'preact/hooks';
import type { PayoutMethod } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { Choice } from '../../../web/ui/choice.tsx';
import { Field, FieldErrorsOf } from '../../../web/ui/field.tsx';
import { Form } from '../../../web/ui/form.tsx';
import { hasWord, t } from '../../../web/words.ts';
import { methodName } from '../../../web/portal/method-name.ts';
import { detailsOf, layoutOf, type DetailsField } from './details-schema.ts';

interface DetailsFormProps {
  userId: number;
  methods: readonly PayoutMethod[];
  /** The method that is saved now; empty for none. */
  saved: string;
  onSaved(): Promise<void>;
  cancel: ComponentChildren;
}

/** Fields by the schema of the chosen method. */
export function DetailsForm({ userId, methods, saved, onSaved, cancel }: DetailsFormProps) {
  const [type, setType] = useState(
    () => (methods.find(({ method_type }) => method_type === saved) ?? methods[0]!).method_type,
  );
  const [group, setGroup] = useState(0);
  const method = methods.find(({ method_type }) => method_type === type)!;
  const layout = layoutOf(method.details);
  const choice = layout.choices[group] ?? [];
  const fields = (shown: readonly DetailsField[]) =>
    // Another method begins with empty fields.
    shown.map((field) => <DetailInput key={`${type} ${field.name}`} {...field} />);
  return (
    <Form
      action={t('portal-payout-details.save')}
      errorOf={(name) => wordOf('fault', name)}
      beside={cancel}
      submit={async (values, options) => {
        const details = detailsOf(layout, values);
        await api.affiliates.payoutDetails.set(userId, { method_type: type, details }, options);
        await onSaved();
      }}
    >
      <Choice
        name="method"
        legend={t('portal-money.method')}
        options={methods.map((offered) => ({
          value: offered.method_type,
          label: methodName(offered),
          hint: offered.invoice_required
            ? t('portal-payout-details.invoice')
            : wordOf('methodHint', offered.method_type),
        }))}
        current={type}
        onChoose={(value) => {
          setType(value);
          setGroup(0);
        }}
      />
      {fields(layout.required)}
      {layout.choices.length > 1 && (
        <Choice
          name="group"
          legend={t('portal-payout-details.account')}
          options={layout.choices.map((names, position) => ({
            value: String(position),
            label: names.map(({ name, description }) => labelOf(name, description)).join(' + '),
          }))}
          current={String(group)}
          onChoose={(value) => setGroup(Number(value))}
        />
      )}
      {fields(choice)}
      {layout.optional.length > 0 && (
        <MoreDetails names={layout.optional.map(({ name }) => name)}>
          {fields(layout.optional)}
        </MoreDetails>
      )}
    </Form>
  );
}

/** Open as soon as one of its fields has an error. */
function MoreDetails(props: { names: readonly string[]; children: ComponentChildren }) {
  const errors = useContext(FieldErrorsOf);
  return (
    <details open={props.names.some((name) => errors[name] !== undefined)}>
      <summary>{t('portal-payout-details.more')}</summary>
      <div class="form">{props.children}</div>
    </details>
  );
}

function DetailInput({ name, description, isNumber, isRequired }: DetailsField) {
  return (
    <Field
      name={name}
      label={labelOf(name, description)}
      hint={wordOf('hint', name)}
      required={isRequired}
      inputMode={isNumber ? 'numeric' : name === 'email' ? 'email' : 'text'}
      autocomplete={name === 'account_holder' ? 'name' : name === 'email' ? 'email' : 'off'}
      autocapitalize={name === 'iban' ? 'characters' : undefined}
      spellcheck={false}
    />
  );
}

/** Methods of extensions have fields that only their schema describes. */
function labelOf(name: string, description: string): string {
  return wordOf('field', name) ?? (description === '' ? name : description);
}

function wordOf(kind: 'field' | 'hint' | 'fault' | 'methodHint', name: string): string | undefined {
  const key = `portal-payout-details.${kind}.${name}`;
  return hasWord(key) ? t(key) : undefined;
}
