import type { BuiltInValues } from '../../src/modules/rewards/built-in-rules.ts';
import type { RewardBonus } from '../../src/modules/rewards/rule.ts';
import type { RewardRule } from '../../src/modules/rewards/rule.ts';

/** A value and its sentences in the order of `languages`, with plain spaces in place of special ones. */
type Example<T> = readonly [T, readonly string[]];

export const ownerRules: readonly Example<Partial<RewardRule> & Pick<RewardRule, 'rate'>>[] = [
  [
    { rate: { percent: 15 } },
    [
      'Everyone earns 15%.',
      'Alle verdienen 15 %.',
      'Todos ganan un 15 %.',
      'Tous gagnent 15 %.',
      'Todos ganham 15%.',
    ],
  ],
  [
    {
      who: { groups: [1] },
      what: { categories: ['candles'] },
      order: { customer: 'first' },
      to: '2026-11-30',
      rate: { percent: 15 },
    },
    [
      'The group Gold earns 15% on products in the category candles for the first order of a customer, until November 30, 2026.',
      'Die Gruppe Gold verdient 15 % auf Produkte der Kategorie candles bei der ersten Bestellung eines Kunden, bis zum 30. November 2026.',
      'El grupo Gold gana un 15 % en productos de la categoría candles por el primer pedido de un cliente, hasta el 30 de noviembre de 2026.',
      'Le groupe Gold gagne 15 % sur les produits de la catégorie candles pour la première commande d’un client, jusqu’au 30 novembre 2026.',
      'O grupo Gold ganha 15% em produtos da categoria candles pelo primeiro pedido de um cliente, até 30 de novembro de 2026.',
    ],
  ],
  [
    { who: { groups: [1, 2] }, rate: { percent: 12.5, fixed_per_order: 5 } },
    [
      'The groups Gold and Silver earn 12.5% and €5.00 per order.',
      'Die Gruppen Gold und Silver verdienen 12,5 % und 5,00 € je Bestellung.',
      'Los grupos Gold y Silver ganan un 12,5 % y 5,00 € por pedido.',
      'Les groupes Gold et Silver gagnent 12,5 % et 5,00 € par commande.',
      'Os grupos Gold e Silver ganham 12,5% e € 5,00 por pedido.',
    ],
  ],
  [
    { who: { groups: [1, 2, 3, 4, 5] }, rate: { fixed_per_product: 2 } },
    [
      'The groups Gold, Silver and 3 others earn €2.00 per product.',
      'Die Gruppen Gold, Silver und 3 weitere verdienen 2,00 € je Produkt.',
      'Los grupos Gold, Silver y 3 más ganan 2,00 € por producto.',
      'Les groupes Gold, Silver et 3 autres gagnent 2,00 € par produit.',
      'Os grupos Gold, Silver e mais 3 ganham € 2,00 por produto.',
    ],
  ],
  [
    { who: { affiliates: [1] }, rate: { percent: 10, fixed_per_order: 5, fixed_per_product: 2 } },
    [
      'Ann Lee earns 10%, €5.00 per order and €2.00 per product.',
      'Ann Lee verdient 10 %, 5,00 € je Bestellung und 2,00 € je Produkt.',
      'Ann Lee gana un 10 %, 5,00 € por pedido y 2,00 € por producto.',
      'Ann Lee gagne 10 %, 5,00 € par commande et 2,00 € par produit.',
      'Ann Lee ganha 10%, € 5,00 por pedido e € 2,00 por produto.',
    ],
  ],
  [
    { who: { affiliates: [1, 2, 3, 4, 5] }, what: { products: ['12'] }, rate: { percent: 20 } },
    [
      'Ann Lee, Bob and 3 others earn 20% on product 12.',
      'Ann Lee, Bob und 3 weitere verdienen 20 % auf Produkt 12.',
      'Ann Lee, Bob y 3 más ganan un 20 % en el producto 12.',
      'Ann Lee, Bob et 3 autres gagnent 20 % sur le produit 12.',
      'Ann Lee, Bob e mais 3 ganham 20% no produto 12.',
    ],
  ],
  [
    { who: { coupons: [1] }, what: { products: ['12', '15'] }, rate: { percent: 20 } },
    [
      'The coupon SUMMER earns 20% on products 12 and 15.',
      'Der Gutschein SUMMER bringt 20 % auf die Produkte 12 und 15.',
      'El cupón SUMMER da un 20 % en los productos 12 y 15.',
      'Le code promo SUMMER rapporte 20 % sur les produits 12 et 15.',
      'O cupom SUMMER rende 20% nos produtos 12 e 15.',
    ],
  ],
  [
    {
      who: { coupons: [1, 2] },
      what: { categories: ['candles', 'soap'] },
      rate: { excluded: true },
    },
    [
      'The coupons SUMMER and WINTER earn nothing on products in the categories candles and soap.',
      'Die Gutscheine SUMMER und WINTER bringen keine Provision auf Produkte der Kategorien candles und soap.',
      'Los cupones SUMMER y WINTER no dan nada en productos de las categorías candles y soap.',
      'Les codes promo SUMMER et WINTER ne rapportent rien sur les produits des catégories candles et soap.',
      'Os cupons SUMMER e WINTER não rendem nada em produtos das categorias candles e soap.',
    ],
  ],
  [
    { what: { tags: ['gift-card'] }, rate: { excluded: true } },
    [
      'No one earns anything on products with the tag gift-card.',
      'Niemand verdient Provision auf Produkte mit dem Schlagwort gift-card.',
      'Nadie gana nada en productos con la etiqueta gift-card.',
      'Personne ne gagne rien sur les produits portant l’étiquette gift-card.',
      'Ninguém ganha nada em produtos com a etiqueta gift-card.',
    ],
  ],
  [
    {
      who: { groups: [1] },
      what: { products: ['1', '2', '3', '4', '5'] },
      rate: { excluded: true },
    },
    [
      'The group Gold earns nothing on products 1, 2 and 3 others.',
      'Die Gruppe Gold verdient keine Provision auf die Produkte 1, 2 und 3 weitere.',
      'El grupo Gold no gana nada en los productos 1, 2 y 3 más.',
      'Le groupe Gold ne gagne rien sur les produits 1, 2 et 3 autres.',
      'O grupo Gold não ganha nada nos produtos 1, 2 e mais 3.',
    ],
  ],
  [
    {
      who: { affiliates: [1, 2] },
      what: { tags: ['sale', 'new', 'a', 'b', 'c', 'd'] },
      rate: { excluded: true },
    },
    [
      'Ann Lee and Bob earn nothing on products with the tag sale, new or 4 others.',
      'Ann Lee und Bob verdienen keine Provision auf Produkte mit dem Schlagwort sale, new oder einem von 4 weiteren.',
      'Ann Lee y Bob no ganan nada en productos con la etiqueta sale, new u otras 4.',
      'Ann Lee et Bob ne gagnent rien sur les produits portant l’étiquette sale, new ou 4 autres.',
      'Ann Lee e Bob não ganham nada em produtos com a etiqueta sale, new ou outras 4.',
    ],
  ],
  [
    {
      who: { affiliates: [1] },
      what: { categories: ['a', 'b', 'c', 'd', 'e'] },
      rate: { percent: 0 },
    },
    [
      'Ann Lee earns 0% on products in the categories a, b and 3 others.',
      'Ann Lee verdient 0 % auf Produkte der Kategorien a, b und 3 weiterer.',
      'Ann Lee gana un 0 % en productos de las categorías a, b y 3 más.',
      'Ann Lee gagne 0 % sur les produits des catégories a, b et 3 autres.',
      'Ann Lee ganha 0% em produtos das categorias a, b e mais 3.',
    ],
  ],
  [
    { order: { customer: 'repeat' }, rate: { percent: 5 } },
    [
      'Everyone earns 5% for repeat orders of a customer.',
      'Alle verdienen 5 % bei weiteren Bestellungen eines Kunden.',
      'Todos ganan un 5 % por los pedidos posteriores de un cliente.',
      'Tous gagnent 5 % pour les commandes suivantes d’un client.',
      'Todos ganham 5% pelos pedidos seguintes de um cliente.',
    ],
  ],
  [
    { order: { payment: 'first' }, rate: { percent: 30 } },
    [
      'Everyone earns 30% for orders except renewals of subscriptions.',
      'Alle verdienen 30 % bei Bestellungen außer Verlängerungen von Abonnements.',
      'Todos ganan un 30 % por los pedidos que no sean renovaciones de suscripciones.',
      'Tous gagnent 30 % pour les commandes hors renouvellements d’abonnements.',
      'Todos ganham 30% pelos pedidos que não sejam renovações de assinaturas.',
    ],
  ],
  [
    { order: { payment: 'renewal' }, rate: { percent: 5 }, running: true },
    [
      'Everyone earns 5% for renewals of subscriptions, also for running subscriptions.',
      'Alle verdienen 5 % bei Verlängerungen von Abonnements, auch für laufende Abonnements.',
      'Todos ganan un 5 % por las renovaciones de suscripciones, también para suscripciones en curso.',
      'Tous gagnent 5 % pour les renouvellements d’abonnements, y compris pour les abonnements en cours.',
      'Todos ganham 5% pelas renovações de assinaturas, também para assinaturas em andamento.',
    ],
  ],
  [
    { order: { payment: 'renewal', payments: { from: 2, to: 12 } }, rate: { percent: 5 } },
    [
      'Everyone earns 5% for payments 2 to 12 of a subscription.',
      'Alle verdienen 5 % bei den Zahlungen 2 bis 12 eines Abonnements.',
      'Todos ganan un 5 % por los pagos 2 a 12 de una suscripción.',
      'Tous gagnent 5 % pour les paiements 2 à 12 d’un abonnement.',
      'Todos ganham 5% pelos pagamentos 2 a 12 de uma assinatura.',
    ],
  ],
  [
    { order: { payment: 'renewal', payments: { from: 13 } }, rate: { excluded: true } },
    [
      'No one earns anything for payments of a subscription from number 13 on.',
      'Niemand verdient Provision bei Zahlungen eines Abonnements ab Nummer 13.',
      'Nadie gana nada por los pagos de una suscripción a partir del número 13.',
      'Personne ne gagne rien pour les paiements d’un abonnement à partir du numéro 13.',
      'Ninguém ganha nada pelos pagamentos de uma assinatura a partir do número 13.',
    ],
  ],
  [
    { order: { payment: 'renewal', payments: { to: 6 } }, rate: { percent: 6 } },
    [
      'Everyone earns 6% for payments 2 to 6 of a subscription.',
      'Alle verdienen 6 % bei den Zahlungen 2 bis 6 eines Abonnements.',
      'Todos ganan un 6 % por los pagos 2 a 6 de una suscripción.',
      'Tous gagnent 6 % pour les paiements 2 à 6 d’un abonnement.',
      'Todos ganham 6% pelos pagamentos 2 a 6 de uma assinatura.',
    ],
  ],
  [
    { order: { payment: 'renewal', payments: { from: 3, to: 3 } }, rate: { percent: 6 } },
    [
      'Everyone earns 6% for payment 3 of a subscription.',
      'Alle verdienen 6 % bei Zahlung 3 eines Abonnements.',
      'Todos ganan un 6 % por el pago 3 de una suscripción.',
      'Tous gagnent 6 % pour le paiement 3 d’un abonnement.',
      'Todos ganham 6% pelo pagamento 3 de uma assinatura.',
    ],
  ],
  [
    {
      order: {
        payment: 'renewal',
        payments: { from: 2, to: 12 },
        customer: 'repeat',
        min_total: 20,
      },
      rate: { percent: 7 },
    },
    [
      'Everyone earns 7% for payments 2 to 12 of a subscription with a total of at least €20.00, only with repeat orders of a customer.',
      'Alle verdienen 7 % bei den Zahlungen 2 bis 12 eines Abonnements mit einem Wert von mindestens 20,00 €, nur bei weiteren Bestellungen eines Kunden.',
      'Todos ganan un 7 % por los pagos 2 a 12 de una suscripción con un total de al menos 20,00 €, solo en los pedidos posteriores de un cliente.',
      'Tous gagnent 7 % pour les paiements 2 à 12 d’un abonnement d’un montant d’au moins 20,00 €, uniquement aux commandes suivantes d’un client.',
      'Todos ganham 7% pelos pagamentos 2 a 12 de uma assinatura com um total de pelo menos € 20,00, somente nos pedidos seguintes de um cliente.',
    ],
  ],
  [
    { order: { min_total: 50 }, rate: { percent: 12 } },
    [
      'Everyone earns 12% for orders with a total of at least €50.00.',
      'Alle verdienen 12 % bei Bestellungen mit einem Wert von mindestens 50,00 €.',
      'Todos ganan un 12 % por los pedidos con un total de al menos 50,00 €.',
      'Tous gagnent 12 % pour les commandes d’un montant d’au moins 50,00 €.',
      'Todos ganham 12% pelos pedidos com um total de pelo menos € 50,00.',
    ],
  ],
  [
    { order: { countries: ['DE', 'CH', 'US'] }, rate: { percent: 12 } },
    [
      'Everyone earns 12% for orders (Germany, Switzerland or United States only).',
      'Alle verdienen 12 % bei Bestellungen (nur Deutschland, Schweiz oder Vereinigte Staaten).',
      'Todos ganan un 12 % por los pedidos (solo Alemania, Suiza o Estados Unidos).',
      'Tous gagnent 12 % pour les commandes (Allemagne, Suisse ou États-Unis uniquement).',
      'Todos ganham 12% pelos pedidos (somente Alemanha, Suíça ou Estados Unidos).',
    ],
  ],
  [
    { order: { via: ['coupon', 'link', 'lifetime'] }, rate: { percent: 12 } },
    [
      'Everyone earns 12% for orders through a coupon, a link or an earlier order of the customer.',
      'Alle verdienen 12 % bei Bestellungen über einen Gutschein, einen Link oder eine frühere Bestellung des Kunden.',
      'Todos ganan un 12 % por los pedidos a través de un cupón, un enlace o un pedido anterior del cliente.',
      'Tous gagnent 12 % pour les commandes via un code promo, un lien ou une commande antérieure du client.',
      'Todos ganham 12% pelos pedidos através de um cupom, um link ou um pedido anterior do cliente.',
    ],
  ],
  [
    { order: { via: ['lifetime'] }, rate: { excluded: true } },
    [
      'No one earns anything for orders through an earlier order of the customer.',
      'Niemand verdient Provision bei Bestellungen über eine frühere Bestellung des Kunden.',
      'Nadie gana nada por los pedidos a través de un pedido anterior del cliente.',
      'Personne ne gagne rien pour les commandes via une commande antérieure du client.',
      'Ninguém ganha nada pelos pedidos através de um pedido anterior do cliente.',
    ],
  ],
  [
    { order: { stores: [1] }, rate: { percent: 12 } },
    [
      'Everyone earns 12% for orders in the store Alpine.',
      'Alle verdienen 12 % bei Bestellungen im Shop Alpine.',
      'Todos ganan un 12 % por los pedidos en la tienda Alpine.',
      'Tous gagnent 12 % pour les commandes dans la boutique Alpine.',
      'Todos ganham 12% pelos pedidos na loja Alpine.',
    ],
  ],
  [
    {
      what: { products: ['12'] },
      order: {
        customer: 'first',
        stores: [1, 2],
        via: ['link'],
        min_total: 1000,
        countries: ['DE', 'AT', 'CH', 'FR', 'ES', 'IT'],
      },
      from: '2026-11-01',
      to: '2026-11-30',
      rate: { percent: 12 },
    },
    [
      'Everyone earns 12% on product 12 for the first order of a customer with a total of at least €1,000.00 in the stores Alpine and Coast through a link (Germany, Austria or 4 other countries only), from November 1, 2026 to November 30, 2026.',
      'Alle verdienen 12 % auf Produkt 12 bei der ersten Bestellung eines Kunden mit einem Wert von mindestens 1.000,00 € in den Shops Alpine und Coast über einen Link (nur Deutschland, Österreich oder 4 weitere Länder), vom 1. November 2026 bis zum 30. November 2026.',
      'Todos ganan un 12 % en el producto 12 por el primer pedido de un cliente con un total de al menos 1000,00 € en las tiendas Alpine y Coast a través de un enlace (solo Alemania, Austria u otros 4 países), del 1 de noviembre de 2026 al 30 de noviembre de 2026.',
      'Tous gagnent 12 % sur le produit 12 pour la première commande d’un client d’un montant d’au moins 1 000,00 € dans les boutiques Alpine et Coast via un lien (Allemagne, Autriche ou 4 autres pays uniquement), du 1er novembre 2026 au 30 novembre 2026.',
      'Todos ganham 12% no produto 12 pelo primeiro pedido de um cliente com um total de pelo menos € 1.000,00 nas lojas Alpine e Coast através de um link (somente Alemanha, Áustria ou outros 4 países), de 1º de novembro de 2026 a 30 de novembro de 2026.',
    ],
  ],
  [
    { from: '2026-11-01', rate: { percent: 12 } },
    [
      'Everyone earns 12% from November 1, 2026.',
      'Alle verdienen 12 % ab dem 1. November 2026.',
      'Todos ganan un 12 % a partir del 1 de noviembre de 2026.',
      'Tous gagnent 12 % à partir du 1er novembre 2026.',
      'Todos ganham 12% a partir de 1º de novembro de 2026.',
    ],
  ],
  [
    { from: '2026-11-27', to: '2026-11-27', rate: { percent: 25 } },
    [
      'Everyone earns 25% on November 27, 2026.',
      'Alle verdienen 25 % am 27. November 2026.',
      'Todos ganan un 25 % el 27 de noviembre de 2026.',
      'Tous gagnent 25 % le 27 novembre 2026.',
      'Todos ganham 25% em 27 de novembro de 2026.',
    ],
  ],
  [
    {
      rate: {
        steps: {
          by: 'sales',
          counts: 'granted',
          window: { kind: 'month' },
          steps: [
            { from: 0, percent: 10 },
            { from: 1000, percent: 12 },
          ],
        },
      },
    },
    [
      'Everyone earns 10%; 12% from €1,000.00 of confirmed sales in a calendar month.',
      'Alle verdienen 10 %; 12 % ab 1.000,00 € bestätigtem Umsatz im Kalendermonat.',
      'Todos ganan un 10 %; un 12 % a partir de 1000,00 € de ventas confirmadas en un mes natural.',
      'Tous gagnent 10 % ; 12 % à partir de 1 000,00 € de ventes confirmées par mois civil.',
      'Todos ganham 10%; 12% a partir de € 1.000,00 em vendas confirmadas em um mês civil.',
    ],
  ],
  [
    {
      who: { groups: [1] },
      what: { categories: ['candles'] },
      to: '2026-12-31',
      rate: {
        steps: {
          by: 'orders',
          counts: 'granted',
          window: { kind: 'quarter' },
          steps: [
            { from: 0, percent: 10 },
            { from: 10, percent: 12 },
            { from: 20, percent: 15 },
          ],
        },
      },
    },
    [
      'The group Gold earns 10% on products in the category candles, until December 31, 2026; 12% from 10 and 15% from 20 confirmed orders in a calendar quarter.',
      'Die Gruppe Gold verdient 10 % auf Produkte der Kategorie candles, bis zum 31. Dezember 2026; 12 % ab 10 und 15 % ab 20 bestätigten Bestellungen im Kalenderquartal.',
      'El grupo Gold gana un 10 % en productos de la categoría candles, hasta el 31 de diciembre de 2026; un 12 % a partir de 10 y un 15 % a partir de 20 pedidos confirmados en un trimestre natural.',
      'Le groupe Gold gagne 10 % sur les produits de la catégorie candles, jusqu’au 31 décembre 2026 ; 12 % à partir de 10 et 15 % à partir de 20 commandes confirmées par trimestre civil.',
      'O grupo Gold ganha 10% em produtos da categoria candles, até 31 de dezembro de 2026; 12% a partir de 10 e 15% a partir de 20 pedidos confirmados em um trimestre civil.',
    ],
  ],
  [
    {
      rate: {
        steps: {
          by: 'new_customers',
          counts: 'counted',
          window: { kind: 'days', days: 30 },
          steps: [
            { from: 0, percent: 10 },
            { from: 1, percent: 12 },
          ],
        },
      },
    },
    [
      'Everyone earns 10%; 12% from 1 new customer within 30 days.',
      'Alle verdienen 10 %; 12 % ab 1 Neukunden innerhalb von 30 Tagen.',
      'Todos ganan un 10 %; un 12 % a partir de 1 cliente nuevo en 30 días.',
      'Tous gagnent 10 % ; 12 % à partir de 1 nouveau client en 30 jours.',
      'Todos ganham 10%; 12% a partir de 1 novo cliente em 30 dias.',
    ],
  ],
  [
    {
      rate: {
        steps: {
          by: 'commission',
          counts: 'counted',
          window: { kind: 'always' },
          steps: [
            { from: 0, percent: 8 },
            { from: 500, percent: 10 },
          ],
        },
      },
    },
    [
      'Everyone earns 8%; 10% from €500.00 of commission in total.',
      'Alle verdienen 8 %; 10 % ab 500,00 € Provision insgesamt.',
      'Todos ganan un 8 %; un 10 % a partir de 500,00 € de comisión en total.',
      'Tous gagnent 8 % ; 10 % à partir de 500,00 € de commission au total.',
      'Todos ganham 8%; 10% a partir de € 500,00 em comissão no total.',
    ],
  ],
  [
    { rate: { percent: 20 }, limit: { payments: 12 } },
    [
      'Everyone earns 20%, limited to the first 12 payments of a customer.',
      'Alle verdienen 20 %, begrenzt auf die ersten 12 Zahlungen eines Kunden.',
      'Todos ganan un 20 %, limitado a los 12 primeros pagos de un cliente.',
      'Tous gagnent 20 %, dans la limite des 12 premiers paiements d’un client.',
      'Todos ganham 20%, limitado aos 12 primeiros pagamentos de um cliente.',
    ],
  ],
  [
    { rate: { percent: 20 }, limit: { months: 1 } },
    [
      'Everyone earns 20%, limited to 1 month from the first order of a customer.',
      'Alle verdienen 20 %, begrenzt auf 1 Monat ab der ersten Bestellung eines Kunden.',
      'Todos ganan un 20 %, limitado a 1 mes desde el primer pedido de un cliente.',
      'Tous gagnent 20 %, pendant 1 mois à compter de la première commande d’un client.',
      'Todos ganham 20%, limitado a 1 mês a partir do primeiro pedido de um cliente.',
    ],
  ],
  [
    { order: { payment: 'renewal' }, rate: { percent: 20 }, limit: { months: 12 } },
    [
      'Everyone earns 20% for renewals of subscriptions, limited to 12 months from the first order of a customer.',
      'Alle verdienen 20 % bei Verlängerungen von Abonnements, begrenzt auf 12 Monate ab der ersten Bestellung eines Kunden.',
      'Todos ganan un 20 % por las renovaciones de suscripciones, limitado a 12 meses desde el primer pedido de un cliente.',
      'Tous gagnent 20 % pour les renouvellements d’abonnements, pendant 12 mois à compter de la première commande d’un client.',
      'Todos ganham 20% pelas renovações de assinaturas, limitado a 12 meses a partir do primeiro pedido de um cliente.',
    ],
  ],
  [
    { rate: { percent: 20 }, limit: { amount: 100, per: 'customer', window: { kind: 'year' } } },
    [
      'Everyone earns 20%, limited to €100.00 per customer in a calendar year.',
      'Alle verdienen 20 %, begrenzt auf 100,00 € je Kunde im Kalenderjahr.',
      'Todos ganan un 20 %, limitado a 100,00 € por cliente en un año natural.',
      'Tous gagnent 20 %, dans la limite de 100,00 € par client par année civile.',
      'Todos ganham 20%, limitado a € 100,00 por cliente em um ano civil.',
    ],
  ],
  [
    {
      rate: { percent: 20 },
      limit: { amount: 100, per: 'affiliate', window: { kind: 'month' } },
      running: true,
    },
    [
      'Everyone earns 20%, limited to €100.00 per person in a calendar month, also for running subscriptions.',
      'Alle verdienen 20 %, begrenzt auf 100,00 € je Person im Kalendermonat, auch für laufende Abonnements.',
      'Todos ganan un 20 %, limitado a 100,00 € por persona en un mes natural, también para suscripciones en curso.',
      'Tous gagnent 20 %, dans la limite de 100,00 € par personne par mois civil, y compris pour les abonnements en cours.',
      'Todos ganham 20%, limitado a € 100,00 por pessoa em um mês civil, também para assinaturas em andamento.',
    ],
  ],
  [
    { rate: { percent: 20 }, limit: { payments: 1 } },
    [
      'Everyone earns 20%, limited to the first payment of a customer.',
      'Alle verdienen 20 %, begrenzt auf die erste Zahlung eines Kunden.',
      'Todos ganan un 20 %, limitado al primer pago de un cliente.',
      'Tous gagnent 20 %, dans la limite du premier paiement d’un client.',
      'Todos ganham 20%, limitado ao primeiro pagamento de um cliente.',
    ],
  ],
];

export const affiliateRules: readonly Example<Partial<RewardRule> & Pick<RewardRule, 'rate'>>[] = [
  [
    {
      who: { groups: [1] },
      what: { categories: ['candles'] },
      order: { customer: 'first' },
      to: '2026-11-30',
      rate: { percent: 15 },
    },
    [
      'You earn 15% on products in the category candles for the first order of a customer, until November 30, 2026.',
      'Sie verdienen 15 % auf Produkte der Kategorie candles bei der ersten Bestellung eines Kunden, bis zum 30. November 2026.',
      'Ganas un 15 % en productos de la categoría candles por el primer pedido de un cliente, hasta el 30 de noviembre de 2026.',
      'Vous gagnez 15 % sur les produits de la catégorie candles pour la première commande d’un client, jusqu’au 30 novembre 2026.',
      'Você ganha 15% em produtos da categoria candles pelo primeiro pedido de um cliente, até 30 de novembro de 2026.',
    ],
  ],
  [
    { who: { affiliates: [1, 2] }, what: { tags: ['gift-card'] }, rate: { excluded: true } },
    [
      'You earn nothing on products with the tag gift-card.',
      'Sie verdienen keine Provision auf Produkte mit dem Schlagwort gift-card.',
      'No ganas nada en productos con la etiqueta gift-card.',
      'Vous ne gagnez rien sur les produits portant l’étiquette gift-card.',
      'Você não ganha nada em produtos com a etiqueta gift-card.',
    ],
  ],
  [
    {
      who: { coupons: [1, 9] },
      what: { products: ['12'] },
      rate: { percent: 15, fixed_per_order: 1 },
    },
    [
      'You earn 15% and €1.00 per order with the coupon SUMMER on product 12.',
      'Sie verdienen 15 % und 1,00 € je Bestellung mit dem Gutschein SUMMER auf Produkt 12.',
      'Ganas un 15 % y 1,00 € por pedido con el cupón SUMMER en el producto 12.',
      'Vous gagnez 15 % et 1,00 € par commande avec le code promo SUMMER sur le produit 12.',
      'Você ganha 15% e € 1,00 por pedido com o cupom SUMMER no produto 12.',
    ],
  ],
  [
    { who: { coupons: [1, 2] }, what: { products: ['12'] }, rate: { excluded: true } },
    [
      'You earn nothing with the coupons SUMMER and WINTER on product 12.',
      'Sie verdienen mit den Gutscheinen SUMMER und WINTER keine Provision auf Produkt 12.',
      'No ganas nada con los cupones SUMMER y WINTER en el producto 12.',
      'Vous ne gagnez rien avec les codes promo SUMMER et WINTER sur le produit 12.',
      'Você não ganha nada com os cupons SUMMER e WINTER no produto 12.',
    ],
  ],
  [
    { rate: { percent: 20 }, limit: { amount: 100, per: 'affiliate', window: { kind: 'month' } } },
    [
      'You earn 20%, limited to €100.00 in a calendar month.',
      'Sie verdienen 20 %, begrenzt auf 100,00 € im Kalendermonat.',
      'Ganas un 20 %, limitado a 100,00 € en un mes natural.',
      'Vous gagnez 20 %, dans la limite de 100,00 € par mois civil.',
      'Você ganha 20%, limitado a € 100,00 em um mês civil.',
    ],
  ],
];

export const ownerBonuses: readonly Example<
  Omit<RewardBonus, 'id' | 'name' | 'active' | 'since'>
>[] = [
  [
    {
      who: {},
      target: { by: 'orders', counts: 'granted', window: { kind: 'month' }, at: 10 },
      once: 'window',
      pays: { amount: 50 },
    },
    [
      'Everyone gets €50.00 for 10 confirmed orders in a calendar month, at most once per period.',
      'Alle erhalten 50,00 € ab 10 bestätigten Bestellungen im Kalendermonat, höchstens einmal je Zeitraum.',
      'Todos reciben 50,00 € por 10 pedidos confirmados en un mes natural, como máximo una vez por periodo.',
      'Tous reçoivent 50,00 € pour 10 commandes confirmées par mois civil, au plus une fois par période.',
      'Todos recebem € 50,00 por 10 pedidos confirmados em um mês civil, no máximo uma vez por período.',
    ],
  ],
  [
    {
      who: { groups: [1] },
      target: { by: 'sales', counts: 'granted', window: { kind: 'quarter' }, at: 5000 },
      once: 'window',
      pays: { percent: 5, of: 'sales' },
    },
    [
      'The group Gold gets 5% of the sales of the period for €5,000.00 of confirmed sales in a calendar quarter, at most once per period.',
      'Die Gruppe Gold erhält 5 % des Umsatzes des Zeitraums ab 5.000,00 € bestätigtem Umsatz im Kalenderquartal, höchstens einmal je Zeitraum.',
      'El grupo Gold recibe un 5 % de las ventas del periodo por 5000,00 € de ventas confirmadas en un trimestre natural, como máximo una vez por periodo.',
      'Le groupe Gold reçoit 5 % des ventes de la période pour 5 000,00 € de ventes confirmées par trimestre civil, au plus une fois par période.',
      'O grupo Gold recebe 5% das vendas do período por € 5.000,00 em vendas confirmadas em um trimestre civil, no máximo uma vez por período.',
    ],
  ],
  [
    {
      who: { affiliates: [1] },
      target: { by: 'new_customers', counts: 'counted', window: { kind: 'days', days: 30 }, at: 1 },
      once: 'ever',
      pays: { amount: 20 },
    },
    [
      'Ann Lee gets €20.00 for 1 new customer within 30 days, only once.',
      'Ann Lee erhält 20,00 € ab 1 Neukunden innerhalb von 30 Tagen, nur einmal.',
      'Ann Lee recibe 20,00 € por 1 cliente nuevo en 30 días, una sola vez.',
      'Ann Lee reçoit 20,00 € pour 1 nouveau client en 30 jours, une seule fois.',
      'Ann Lee recebe € 20,00 por 1 novo cliente em 30 dias, uma única vez.',
    ],
  ],
  [
    {
      who: { coupons: [1] },
      target: { by: 'commission', counts: 'granted', window: { kind: 'year' }, at: 100 },
      once: 'window',
      pays: { percent: 10, of: 'commission' },
    },
    [
      'The coupon SUMMER gets 10% of the commission of the period for €100.00 of confirmed commission in a calendar year, at most once per period.',
      'Der Gutschein SUMMER erhält 10 % der Provision des Zeitraums ab 100,00 € bestätigter Provision im Kalenderjahr, höchstens einmal je Zeitraum.',
      'El cupón SUMMER recibe un 10 % de la comisión del periodo por 100,00 € de comisión confirmada en un año natural, como máximo una vez por periodo.',
      'Le code promo SUMMER reçoit 10 % de la commission de la période pour 100,00 € de commission confirmée par année civile, au plus une fois par période.',
      'O cupom SUMMER recebe 10% da comissão do período por € 100,00 em comissão confirmada em um ano civil, no máximo uma vez por período.',
    ],
  ],
  [
    {
      who: {},
      target: { by: 'orders', counts: 'counted', window: { kind: 'always' }, at: 100 },
      once: 'window',
      pays: { amount: 500 },
    },
    [
      'Everyone gets €500.00 for 100 orders in total, only once.',
      'Alle erhalten 500,00 € ab 100 Bestellungen insgesamt, nur einmal.',
      'Todos reciben 500,00 € por 100 pedidos en total, una sola vez.',
      'Tous reçoivent 500,00 € pour 100 commandes au total, une seule fois.',
      'Todos recebem € 500,00 por 100 pedidos no total, uma única vez.',
    ],
  ],
  [
    { who: {}, target: { event: 'first_order' }, once: 'ever', pays: { amount: 10 } },
    [
      'Everyone gets €10.00 for the first referred order.',
      'Alle erhalten 10,00 € für die erste vermittelte Bestellung.',
      'Todos reciben 10,00 € por el primer pedido recomendado.',
      'Tous reçoivent 10,00 € pour la première commande apportée.',
      'Todos recebem € 10,00 pelo primeiro pedido indicado.',
    ],
  ],
  [
    { who: { groups: [1] }, target: { event: 'accepted' }, once: 'ever', pays: { amount: 10 } },
    [
      'The group Gold gets €10.00 for joining the program.',
      'Die Gruppe Gold erhält 10,00 € für die Aufnahme in das Programm.',
      'El grupo Gold recibe 10,00 € por entrar en el programa.',
      'Le groupe Gold reçoit 10,00 € pour l’entrée dans le programme.',
      'O grupo Gold recebe € 10,00 pela entrada no programa.',
    ],
  ],
];

export const affiliateBonuses: readonly Example<
  Omit<RewardBonus, 'id' | 'name' | 'active' | 'since'>
>[] = [
  [
    {
      who: { affiliates: [2] },
      target: { by: 'orders', counts: 'granted', window: { kind: 'month' }, at: 10 },
      once: 'window',
      pays: { amount: 50 },
    },
    [
      'You get €50.00 for 10 confirmed orders in a calendar month, at most once per period.',
      'Sie erhalten 50,00 € ab 10 bestätigten Bestellungen im Kalendermonat, höchstens einmal je Zeitraum.',
      'Recibes 50,00 € por 10 pedidos confirmados en un mes natural, como máximo una vez por periodo.',
      'Vous recevez 50,00 € pour 10 commandes confirmées par mois civil, au plus une fois par période.',
      'Você recebe € 50,00 por 10 pedidos confirmados em um mês civil, no máximo uma vez por período.',
    ],
  ],
  [
    {
      who: { coupons: [1] },
      target: { by: 'orders', counts: 'granted', window: { kind: 'month' }, at: 1 },
      once: 'window',
      pays: { amount: 50 },
    },
    [
      'You get €50.00 with the coupon SUMMER for 1 confirmed order in a calendar month, at most once per period.',
      'Sie erhalten 50,00 € mit dem Gutschein SUMMER ab 1 bestätigter Bestellung im Kalendermonat, höchstens einmal je Zeitraum.',
      'Recibes 50,00 € con el cupón SUMMER por 1 pedido confirmado en un mes natural, como máximo una vez por periodo.',
      'Vous recevez 50,00 € avec le code promo SUMMER pour 1 commande confirmée par mois civil, au plus une fois par période.',
      'Você recebe € 50,00 com o cupom SUMMER por 1 pedido confirmado em um mês civil, no máximo uma vez por período.',
    ],
  ],
];

export const builtInRows: readonly Example<
  { [Name in keyof BuiltInValues]: readonly [Name, BuiltInValues[Name]] }[keyof BuiltInValues]
>[] = [
  [
    ['renewals', {}],
    [
      'Renewals of subscriptions keep the rates of the first payment, for as long as the settings say.',
      'Verlängerungen von Abonnements behalten die Sätze der ersten Zahlung, so lange, wie es die Einstellungen sagen.',
      'Las renovaciones de suscripciones conservan las tarifas del primer pago durante el tiempo que indique la configuración.',
      'Les renouvellements d’abonnements gardent les taux du premier paiement, aussi longtemps que les réglages le prévoient.',
      'As renovações de assinaturas mantêm as taxas do primeiro pagamento durante o tempo que as configurações indicarem.',
    ],
  ],
  [
    ['renewals', { months: 0 }],
    [
      'Renewals of subscriptions earn nothing.',
      'Verlängerungen von Abonnements bringen nichts.',
      'Las renovaciones de suscripciones no dan nada.',
      'Les renouvellements d’abonnements ne rapportent rien.',
      'As renovações de assinaturas não rendem nada.',
    ],
  ],
  [
    ['renewals', { months: 12 }],
    [
      'Renewals of subscriptions earn for 12 months.',
      'Verlängerungen von Abonnements bringen 12 Monate lang Provision.',
      'Las renovaciones de suscripciones dan comisión durante 12 meses.',
      'Les renouvellements d’abonnements rapportent pendant 12 mois.',
      'As renovações de assinaturas rendem durante 12 meses.',
    ],
  ],
  [
    ['renewals', { months: null }],
    [
      'Renewals of subscriptions earn like the first payment.',
      'Verlängerungen von Abonnements bringen so viel wie die erste Zahlung.',
      'Las renovaciones de suscripciones dan lo mismo que el primer pago.',
      'Les renouvellements d’abonnements rapportent autant que le premier paiement.',
      'As renovações de assinaturas rendem o mesmo que o primeiro pagamento.',
    ],
  ],
  [
    ['products', { count: 12 }],
    [
      '12 products have their own percentage.',
      'Produkte mit eigenem Prozentsatz bringen diesen: 12 Produkte.',
      'Los productos con un porcentaje propio dan ese porcentaje: 12 productos.',
      'Les produits qui ont leur propre pourcentage le rapportent : 12 produits.',
      'Os produtos com um percentual próprio rendem esse percentual: 12 produtos.',
    ],
  ],
  [
    ['coupon', null],
    [
      'Coupons with rates of their own earn those.',
      'Gutscheine mit eigenen Sätzen bringen diese.',
      'Los cupones con tarifas propias dan esas tarifas.',
      'Les codes promo qui ont leurs propres taux rapportent ceux-ci.',
      'Os cupons com taxas próprias rendem essas taxas.',
    ],
  ],
  [
    ['coupon', { code: 'SUMMER', rate: { percent: 15 } }],
    [
      'Your coupon SUMMER earns 15%.',
      'Ihr Gutschein SUMMER bringt 15 %.',
      'Tu cupón SUMMER da un 15 %.',
      'Votre code promo SUMMER rapporte 15 %.',
      'O seu cupom SUMMER rende 15%.',
    ],
  ],
  [
    ['group', null],
    [
      'Groups with rates of their own earn those; of several groups of a person, the oldest counts.',
      'Gruppen mit eigenen Sätzen verdienen diese; ist jemand in mehreren Gruppen, zählt die älteste.',
      'Los grupos con tarifas propias ganan esas tarifas; si una persona está en varios grupos, cuenta el más antiguo.',
      'Les groupes qui ont leurs propres taux gagnent ceux-ci ; si une personne est dans plusieurs groupes, le plus ancien compte.',
      'Os grupos com taxas próprias ganham essas taxas; se uma pessoa estiver em vários grupos, conta o mais antigo.',
    ],
  ],
  [
    ['store', { rate: { percent: 12, fixed_per_order: 1 } }],
    [
      'Everything else earns 12% and €1.00 per order.',
      'Alles andere bringt 12 % und 1,00 € je Bestellung.',
      'Todo lo demás da un 12 % y 1,00 € por pedido.',
      'Tout le reste rapporte 12 % et 1,00 € par commande.',
      'Todo o resto rende 12% e € 1,00 por pedido.',
    ],
  ],
  [
    ['store', { rate: { percent: 12, fixed_per_order: 1 }, isAll: true }],
    [
      'All purchases earn 12% and €1.00 per order.',
      'Alle Einkäufe bringen 12 % und 1,00 € je Bestellung.',
      'Todas las compras dan un 12 % y 1,00 € por pedido.',
      'Tous les achats rapportent 12 % et 1,00 € par commande.',
      'Todas as compras rendem 12% e € 1,00 por pedido.',
    ],
  ],
];
