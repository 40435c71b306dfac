import Footer from "@theme-original/DocItem/Footer";
import { useLocation } from "@docusaurus/router";
import Related from "@site/src/Related";

export default function FooterWithRelated(props) {
  return (
    <>
      <Footer {...props} />
      <Related key={useLocation().pathname} />
    </>
  );
}
