import type { ComponentProps } from 'preact';
import { useState } from 'preact/hooks';
import type { CallOptions } from '../../../sdk/src/index.ts';
import { Form, type FormValues } from '../../../web/ui/form.tsx';
import { askStore } from './ask-store.ts';
import { StepList } from './step-list.tsx';

interface StoreFormProps<T> extends Omit<ComponentProps<typeof Form>, 'submit'> {
  call(values: FormValues, options: CallOptions): Promise<T>;
  /** After the store has accepted it. */
  onAnswer(answer: T): Promise<void> | void;
}

/** A form whose change is tried with the store first. If the store refuses, its sentence is above the form. */
export function StoreForm<T>({ call, onAnswer, ...form }: StoreFormProps<T>) {
  const [refusal, setRefusal] = useState<string>();
  return (
    <>
      {refusal !== undefined && <StepList steps={[]} refusal={refusal} />}
      <Form
        {...form}
        showsReasons
        submit={async (values, options) => {
          setRefusal(undefined);
          const asked = await askStore(options, (asking) => call(values, asking));
          if ('refusal' in asked) setRefusal(asked.refusal);
          else await onAnswer(asked.value);
        }}
      />
    </>
  );
}
