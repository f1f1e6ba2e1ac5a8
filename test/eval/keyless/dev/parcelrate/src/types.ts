export interface Parcel {
  /** cm */ readonly length: number;
  /** cm */ readonly width: number;
  /** cm */ readonly height: number;
  /** kg, as weighed */ readonly weight: number;
  readonly contents: readonly string[];
  readonly carrier: string;
}

export interface Offer {
  readonly carrier: string;
  readonly service: string;
  /** euro, VAT included */
  readonly price: number;
}

export type Option = 'saturday' | 'signature' | 'insurance';
