import Type from 'typebox';

export const RecoveryCodes = Type.Array(Type.String(), {
  description: 'Ten codes for the second step of a sign-in. Each works once.',
});

const examples = [
  {
    recovery_codes: [
      'k7wqh-2mfza',
      'p3xnt-9ydre',
      'h8cvu-6gkbs',
      'a2zmq-7wfjt',
      'r9ehx-4npdy',
      'u6bks-3vgca',
      'w5tjz-8mqhf',
      'd4ynp-2xrke',
      'g3scv-9uabh',
      'q8fwm-5jzti',
    ],
  },
];

export const RecoveryCodesSchema = Type.Object(
  { recovery_codes: RecoveryCodes },
  { $id: 'RecoveryCodes', examples },
);
