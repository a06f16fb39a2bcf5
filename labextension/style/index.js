import "../src/style.css";
import "./panel.css";
