/** Names of the most common fields in languages other than English. */

import { names } from "./names.ts";

/** Column names for the fields of people. Accounts also use these names, for the fields that they have. */
export const LOCAL_NAMES = {
  name: names(`氏名 名前 お名前 担当者名 姓名 联系人 聯絡人 客户姓名 imięinazwisko jménoapříjmení név celéjméno
    nomcomplet nombrecompleto nomecompleto nomeecognome vollständigername volledigenaam 이름 фио`),
  first_name:
    names(`名 vorname prénom prenom nombre nome imię imie jméno jmeno keresztnév voornaam förnamn
    fornavn имя`),
  last_name:
    names(`姓 nachname familienname nom nomdefamille apellido apellidos sobrenome cognome nazwisko
    příjmení prijmeni vezetéknév achternaam efternamn etternavn фамилия`),
  email:
    names(`メールアドレス メール eメール 邮箱 电子邮箱 电子邮件 邮件 電子郵件 電郵 emailadresse emailadres adresseemail
    adresemail adresmail courriel correo correoelectrónico correoelectronico epost epostadresse mejl 이메일 почта
    электроннаяпочта`),
  phone:
    names(`電話番号 電話 tel番号 携帯電話 携帯番号 携帯 电话 电话号码 联系电话 手机 手机号 手机号码 手機 手機號碼
    telefonnummer telefonnumer numertelefonu telefonszám telefoon telefoonnummer téléphone telefono teléfono
    telefone mobiltelefon mobilnummer handynummer portable móvil celular cellulare komórka mobiel 전화번호 телефон`),
  company:
    names(`会社名 会社 企業名 公司 公司名称 公司名稱 单位 单位名称 企业名称 客户名称 firma firmenname unternehmen nazwafirmy
    společnost spolecnost cég cégnév société societe entreprise empresa azienda bedrijf bedrijfsnaam företag 회사
    компания`),
  title: names(
    `役職 职位 职务 職位 職稱 stanowisko pozice funktion poste cargo puesto ruolo functie должность`,
  ),
  comments:
    names(`備考 メモ 备注 備註 notizen notiz bemerkung bemerkungen anmerkungen uwagi notatki poznámka poznámky
    megjegyzés remarques commentaires notas comentarios observaciones osservazioni opmerkingen комментарий`),
  website:
    names(`ウェブサイト ホームページ 网站 网址 網站 webseite internetseite siteweb sitioweb paginaweb strona www
    weboldal сайт`),
} as const;
