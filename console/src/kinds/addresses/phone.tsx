/** A phone number, as text or with its country. */

import { TextInput } from "@mantine/core";
import { useSession } from "../../api/index.ts";
import { mainPhone } from "../../record/lists/index.ts";
import { canDial, phoneAddress, phoneHref, phoneText } from "../../ui/format/index.ts";
import { TEXT } from "../filtering/index.ts";
import type { Kind } from "../kind/index.ts";
import { CellLink, Phone, PlainText } from "../shown/index.ts";
import { textProps } from "../texts/index.ts";

export const phone: Kind = {
  width: 155,
  isShort: true,
  Cell: ({ record, value, tab }) => {
    const { tenant } = useSession();
    const main = mainPhone(record) ?? { phone: String(value) };
    const text = phoneText(main, tenant.default_country);
    if (!canDial(main)) return <PlainText text={text} />;
    return <CellLink href={phoneHref(phoneAddress(main))} text={text} tab={tab} />;
  },
  Value: ({ record, value }) => <Phone record={record} text={String(value)} />,
  Input: (props) => <TextInput {...textProps(props)} type="tel" inputMode="tel" />,
  filtering: TEXT,
};
